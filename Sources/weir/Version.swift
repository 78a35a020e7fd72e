/// What `weir --version` prints.
package let weirVersion = "0.1.0"

@main
struct Weir {
    static func main() {
        print("weir")
    }
}

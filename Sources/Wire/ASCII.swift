/// The bytes that framing is made of, by their names in the RFCs.
public enum ASCII {
    @inlinable public static var NUL: UInt8 { 0x00 }
    @inlinable public static var HTAB: UInt8 { 0x09 }
    @inlinable public static var LF: UInt8 { 0x0A }
    @inlinable public static var CR: UInt8 { 0x0D }
    @inlinable public static var SP: UInt8 { 0x20 }
    @inlinable public static var quote: UInt8 { 0x22 }
    @inlinable public static var dash: UInt8 { 0x2D }
    @inlinable public static var colon: UInt8 { 0x3A }
    @inlinable public static var semicolon: UInt8 { 0x3B }
    @inlinable public static var equals: UInt8 { 0x3D }
    @inlinable public static var backslash: UInt8 { 0x5C }

    /// `byte` in lower case, if it is a letter of US-ASCII.
    @inlinable public static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// The value of a hexadecimal digit, or nil.
    @inlinable public static func hexValue(of byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte &- 0x30)  // &-: the case proves the range
        case 0x41...0x46: Int(byte &- 0x37)
        case 0x61...0x66: Int(byte &- 0x57)
        default: nil
        }
    }
}

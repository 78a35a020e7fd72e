import Testing
import Wire

/// Every class is compared with its definition in the RFC, over all 256 bytes.
@Suite struct ByteClassTests {
    @Test(arguments: UInt8.min...UInt8.max)
    func everyByteIsInItsClasses(_ byte: UInt8) {
        let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let alphanumeric = letters.union("0123456789".utf8)
        let token = alphanumeric.union("!#$%&'*+-.^_`|~".utf8)
        let boundary = alphanumeric.union("'()+_,-./:=? ".utf8)
        let hexDigit = Set("0123456789abcdefABCDEF".utf8)
        #expect(ByteClass.token.contains(byte) == token.contains(byte))
        #expect(ByteClass.boundary.contains(byte) == boundary.contains(byte))
        #expect(ByteClass.digit.contains(byte) == (0x30...0x39).contains(byte))
        #expect(ByteClass.hexDigit.contains(byte) == hexDigit.contains(byte))
        #expect(ByteClass.fieldValue.contains(byte) == (byte == 9 || byte >= 32 && byte != 127))
        #expect((ASCII.hexValue(of: byte) != nil) == hexDigit.contains(byte))
    }

    @Test func hexValuesAreTheDigits() {
        for (index, byte) in "0123456789abcdef".utf8.enumerated() {
            #expect(ASCII.hexValue(of: byte) == index)
        }
        #expect(ASCII.hexValue(of: UInt8(ascii: "F")) == 15)
    }
}

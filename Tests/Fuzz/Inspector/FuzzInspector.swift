@main private enum Main { static func main() {} }

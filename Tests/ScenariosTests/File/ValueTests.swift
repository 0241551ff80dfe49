import Testing

@testable import ScenarioFiles

@Suite struct ValueTests {
  @Test(arguments: [
    ("0s", 0), ("1ns", 1), ("250us", 250_000), ("50ms", 50_000_000), ("1.5s", 1_500_000_000),
    ("5s", 5_000_000_000), ("10m", 600_000_000_000), ("3h", 10_800_000_000_000),
    ("0.125d", 10_800_000_000_000),
    ("1.500000000s", 1_500_000_000), ("365d", 31_536_000_000_000_000), ("0.0000000000000625d", 5),
  ])
  func `a duration is read to the nanosecond`(text: String, count: Int64) throws {
    if text == "0.0000000000000625d" {
      #expect(throws: ValueFault.tooFine(text)) { try Nanoseconds(text: text) }
    } else {
      #expect(try Nanoseconds(text: text).count == count)
    }
  }

  @Test(arguments: [
    ("", ValueFault.notADuration("")), ("s", .notADuration("s")), ("5 s", .notADuration("5 s")),
    ("1.s", .notADuration("1.s")), (".5s", .notADuration(".5s")), ("1.2.3s", .notADuration("1.2.3s")),
    ("5", .noUnit("5")), ("5sec", .unknownUnit("5sec", unit: "sec")), ("-5s", .negative("-5s")),
    ("366d", .tooLong("366d")), ("365.1d", .tooLong("365.1d")),
    ("99999999999999999999s", .tooLong("99999999999999999999s")),
    ("0.5ns", .tooFine("0.5ns")), ("0.0000000001s", .tooFine("0.0000000001s")), ("٥s", .notADuration("٥s")),
  ])
  func `a wrong duration is refused with its cure`(text: String, fault: ValueFault) {
    #expect(throws: fault) { try Nanoseconds(text: text) }
    #expect(!fault.description.isEmpty)
  }

  @Test func `a duration is written as it can be read again`() throws {
    for count: Int64 in [0, 1, 999, 1_000, 1_500_000, 90_000_000_000, 3_600_000_000_000, 86_400_000_000_001] {
      let length = Nanoseconds(count)
      #expect(try Nanoseconds(text: length.description) == length)
    }
    #expect(Nanoseconds.seconds(90).description == "90s")
    #expect(Nanoseconds.minutes(2).description == "2m")
  }

  @Test func `a range has two ends in order`() throws {
    #expect(try TimeOffer(text: "100ms...2s") == .range(.milliseconds(100)...Nanoseconds.seconds(2)))
    #expect(try TimeOffer(text: "1s...1s") == .range(.seconds(1)...Nanoseconds.seconds(1)))
    #expect(throws: ValueFault.lowAboveHigh("2s...1s")) { try TimeOffer(text: "2s...1s") }
    #expect(throws: ValueFault.notADuration("")) { try TimeOffer(text: "...") }
    #expect(throws: ValueFault.anytimeNotAllowed) { try TimeOffer(text: "anytime") }
  }
}

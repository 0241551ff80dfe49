import Scenarios
import Testing

@Suite struct DescriptorExampleTests {
  @Test func `the example in the documentation of descriptors compiles as another package would write it`() {
    let descriptor = SystemDescriptor(
      "counter", "Counts taps and saves the count.",
      variants: [.init("naive", "Saves whenever it likes."), .init("hardened", "Saves in order.")],
      actions: [.init("tap", "Counts up.", arguments: [.integer("by", "How far.", default: 1)])],
      fakes: [
        .init(
          "store", "Where the count is kept.",
          operations: [
            .init("write", "Saves the count.", faults: ["never", "before-commit"])
          ])
      ],
      invariants: [.init("no-lost-update", "Every tap is counted.")])
    #expect(descriptor.variants.map(\.name) == ["naive", "hardened"])
    #expect(descriptor.fakes.first?.operations.first?.acceptedKeys.contains(.delay) == true)
  }
}

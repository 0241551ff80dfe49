import Testing

@testable import PlanCheck

struct FunctionLengthTests {
  private func lengths(_ text: String, _ language: SourceText.Language) -> [String] {
    FunctionLength.all(in: SourceText(text, language), language).map {
      "\($0.name) at \($0.line): \($0.lines)"
    }
  }

  @Test func `a function's lines are counted from its signature to its closing brace`() {
    let text = """
      @inline(never)
      func outer(
        _ a: Int = { 1 }()
      ) -> [Int] where A == B {
        let x = "}"
        func inner() {
        }
        return []
      }
      """
    #expect(lengths(text, .swift) == ["outer at 2: 8", "inner at 6: 2"])
  }

  @Test func `initializers and computed properties count and stored ones do not`() {
    let text = """
      protocol P { func required() -> Int; init(a: Int)
        var wanted: Int { get }
      }
      struct S {
        var stored = [1].map { $0 }
        var plain: Int
        let constant = 3
        init() { self.init(1)
        }
        deinit {
        }
        subscript(a: Int) -> Int {
          1
        }
        var computed: Int {
          1
        }
      }
      """
    #expect(
      lengths(text, .swift) == [
        "wanted at 2: 1", "init at 8: 2", "deinit at 10: 2", "subscript at 12: 3", "computed at 15: 3",
      ])
  }

  @Test func `a function of C begins behind the declaration before it`() {
    let text = """
      static struct { int a; } table[] = {{1}};
      #define MACRO(a) { a
      // A comment.
      __attribute__((weak)) static int first(int a,
                                             int b) {
        if (a) { return b; }
        return 1;
      }

      void second(void) { }
      """
    #expect(lengths(text, .c) == ["first at 4: 5", "second at 10: 1"])
  }
}

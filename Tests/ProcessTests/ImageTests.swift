import Glibc
import Simulator
import Testing

/// What is mapped into a process beside its images does not get in the way when a violation is told with its lines.
@Suite struct `The lines of a violation are found` {
  @Test func `where a file is mapped that is the head of an image and no more`() async {
    await #expect(processExitsWith: .success) {
      let file = fileno(tmpfile())
      var head = headOfImage()
      guard file >= 0, write(file, &head, head.count) == head.count,
        mmap(nil, head.count, PROT_READ, MAP_PRIVATE, file, 0) != MAP_FAILED, tellsItsLine()
      else { exit(1) }
    }
  }

  @Test func `while other threads unmap memory that processes share`() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<32 {
        var thread = pthread_t()
        pthread_create(&thread, nil, { _ in mapAndUnmap() }, nil)
      }
      guard tellsItsLine() else { exit(1) }
    }
  }
}

/// An ELF image of which the notes would stand beyond its end.
private func headOfImage() -> [UInt8] {
  var header = Elf64_Ehdr()
  withUnsafeMutableBytes(of: &header.e_ident) { ident in
    ident.copyBytes(from: [0x7F, 0x45, 0x4C, 0x46, UInt8(ELFCLASS64), UInt8(ELFDATA2LSB), UInt8(EV_CURRENT)])
  }
  header.e_type = UInt16(ET_DYN)
  header.e_machine = UInt16(EM_X86_64)
  header.e_version = UInt32(EV_CURRENT)
  header.e_phoff = UInt64(MemoryLayout<Elf64_Ehdr>.size)
  header.e_ehsize = UInt16(MemoryLayout<Elf64_Ehdr>.size)
  header.e_phentsize = UInt16(MemoryLayout<Elf64_Phdr>.size)
  header.e_phnum = 1
  var notes = Elf64_Phdr()
  notes.p_type = UInt32(PT_NOTE)
  notes.p_vaddr = 1 << 40
  notes.p_memsz = 64
  let bytes = withUnsafeBytes(of: header) { Array($0) } + withUnsafeBytes(of: notes) { Array($0) }
  return bytes + [UInt8](repeating: 0, count: 4_096 - bytes.count)
}

/// Shares a page for a moment, again and again.
private func mapAndUnmap() -> UnsafeMutableRawPointer? {
  while true {
    let page = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    usleep(50)
    munmap(page, 4_096)
    usleep(50)
  }
}

/// Whether a violation is told with the line of this file that broke it.
private func tellsItsLine() -> Bool {
  let report = explore(schedules: 1) { simulation in
    let shown = Shown()
    simulation.always("shows nothing") { shown.assumeIsolated { $0.isEmpty } }
    await shown.show()
  }
  return "\(report)".contains("ImageTests.swift:")
}

private actor Shown {
  private(set) var isEmpty = true

  func show() async {
    isEmpty = false
    await Task.yield()
  }
}

private func stitch(_ frame: String, onto panorama: String) async -> String { panorama + frame }

private func panorama(of frames: [String]) async -> String {
  var panorama = ""
  // example
  return panorama
}

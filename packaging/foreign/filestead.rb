# Formula for Homebrew, maintained by the community: the project checks its syntax but does not build or install it.
class Filestead < Formula
  desc "Self-hosted web file manager"
  homepage "{{homepage}}"
  version "{{version}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{{url darwin-arm64}}"
      sha256 "{{sha256 darwin-arm64}}"
    end
    on_intel do
      url "{{url darwin-x64}}"
      sha256 "{{sha256 darwin-x64}}"
    end
  end
  on_linux do
    on_arm do
      url "{{url linux-arm64}}"
      sha256 "{{sha256 linux-arm64}}"
    end
    on_intel do
      url "{{url linux-x64}}"
      sha256 "{{sha256 linux-x64}}"
    end
  end

  def install
    libexec.install "filestead", "lib"
    bin.install_symlink libexec/"filestead"
    man1.install "share/man/man1/filestead.1"
    bash_completion.install "share/completions/filestead.bash" => "filestead"
    zsh_completion.install "share/completions/_filestead"
    fish_completion.install "share/completions/filestead.fish"
  end

  service do
    run [opt_bin/"filestead", "--root", var/"filestead/files", "--data", var/"filestead/data"]
    keep_alive true
    log_path var/"log/filestead.log"
    error_log_path var/"log/filestead.log"
  end

  test do
    assert_equal "Filestead #{version}", shell_output("#{bin}/filestead version").strip
  end
end

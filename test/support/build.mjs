// Builds once before the tests: those of the commands and of the running server start what users start.
import { execFileSync } from 'node:child_process';

export default function build() {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}

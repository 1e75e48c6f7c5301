// Waits for child processes.
import { constants } from 'node:os'

export const WINDOWS = process.platform === 'win32'

/**
 * Prints a sentence and ends this process.
 * @param {string} sentence
 * @returns {never}
 */
export const fail = (sentence) => {
  console.error(`firn: ${sentence}`)
  process.exit(1)
}

/**
 * Waits for a child process and returns its exit code. Forwards signals as SIGTERM, because turbo assumes
 * that an interrupt also reaches its tasks. Does not forward SIGINT at a terminal, because Ctrl-C already
 * reaches the whole process group.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
export const supervise = (child) => {
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !atTerminal) child.kill('SIGTERM')
    })
  }
  // A signal that ends npm also ends its shell, but not this process. A changed parent process id shows that
  // this happened.
  const parent = process.ppid
  const orphaned = setInterval(() => {
    if (!process.env['npm_lifecycle_event'] || process.ppid === parent) return
    clearInterval(orphaned)
    child.kill('SIGTERM')
  }, 500)
  return new Promise((settle, reject) => {
    child.on('error', reject)
    child.on('close', () => clearInterval(orphaned))
    child.on('close', (code, signal) => settle(code ?? 128 + constants.signals[signal ?? 'SIGTERM']))
  })
}

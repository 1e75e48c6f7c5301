import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A measured program in a process of its own. */
export interface Process {
  /** The line of its output that reported readiness. */
  readonly readyLine: string
  close(): Promise<void>
}

/**
 * Starts a source file with this Node and waits for the line that `isReady` accepts.
 * @throws the program's stderr, if it ends before that
 */
export async function start(
  file: string,
  args: readonly string[],
  isReady: (line: string) => boolean,
): Promise<Process> {
  const child = spawn(process.execPath, ['--conditions=source', file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((settle) => child.on('close', () => settle()))
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2000)
  })
  const readyLine = await new Promise<string>((settle, reject) => {
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => isReady(line) && settle(line))
    child.on('close', () => reject(new Error(`${file} ended before it was ready: ${complaint}`)))
  })
  return {
    readyLine,
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

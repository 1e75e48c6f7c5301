import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A program under test that runs in a separate process. */
export interface Process {
  /** The output line that signalled readiness. */
  readonly readyLine: string
  close(): Promise<void>
}

/**
 * Runs a source file in a new Node.js process and waits for an output line that `isReady` accepts.
 * @throws Error with the program's stderr, if the program exits before it prints such a line
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
    child.on('close', () => reject(new Error(`${file} exited before it was ready: ${complaint}`)))
  })
  return {
    readyLine,
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { DeployError } from '../DeployError.ts'

/** A running program. */
export interface Program {
  /** What `ready` matched. */
  readonly found: string
  /** The end of its output. */
  readonly output: () => string
  readonly hasEnded: () => boolean
  /** Writes a line to its standard input. */
  readonly write: (line: string) => void
  /** Ends the program, and returns its exit code; null after SIGKILL. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>
}

const PATIENCE_MS = 120_000
const KEPT_LINES = 60

/**
 * Runs a program with Node.js, and waits for a line of output that `ready` matches.
 * @throws DeployError `DEPLOY_STEP` with the output, if there is no such line
 */
export const start = async (args: readonly string[], ready: RegExp): Promise<Program> => {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let lines: readonly string[] = []
  const output = () => lines.join('\n')
  const found = await new Promise<string>((resolve, reject) => {
    const fail = (what: string) =>
      reject(new DeployError('DEPLOY_STEP', `${args.slice(1).join(' ')} ${what}:\n${output()}`))
    const timer = setTimeout(() => fail('is not ready'), PATIENCE_MS)
    child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`))
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        lines = [...lines, line].slice(-KEPT_LINES)
        const match = ready.exec(line)?.[1]
        if (match === undefined) return
        clearTimeout(timer)
        resolve(match)
      })
  }).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    found,
    output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    write: (line) => void child.stdin.write(`${line}\n`),
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const exited = once(child, 'exit')
      child.stdin.end()
      child.kill(signal)
      await exited
      return child.exitCode
    },
  }
}

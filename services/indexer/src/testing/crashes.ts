import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** One run of an indexing process. For tests only. */
export interface ProcessRun {
  /** Heights of the chains (P, X, C) in the first report. `last` contains the heights in the last report. */
  readonly first: readonly number[] | undefined
  readonly last: readonly number[] | undefined
  /** Last reported phase. */
  readonly phase: string
  /** Whether the process reached the end of the chains before it was killed. */
  readonly isDone: boolean
  readonly errors: string
}

/**
 * When a process is killed: `ms` milliseconds after its start, after it first reported heights, or after it first
 * reported this phase. Undefined means never.
 */
export type Kill =
  | { readonly after: 'start' | 'heights' | 'fetching' | 'applying'; readonly ms: number }
  | undefined

const CHILD = fileURLToPath(new URL('crashChild.ts', import.meta.url))

/**
 * Runs an indexing process until it ends or is killed with SIGKILL. `onHeights` is called when it first reports heights.
 * `env` is added to the environment. For tests only.
 */
export async function runProcess(
  args: readonly string[],
  kill: Kill,
  onHeights: () => void = () => undefined,
  env: NodeJS.ProcessEnv = {},
): Promise<ProcessRun> {
  const child = spawn(process.execPath, ['--conditions=source', CHILD, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const ended = new Promise<void>((settle) => child.once('close', () => settle()))
  let [errors, phase, isDone] = ['', 'starting', false]
  let first: readonly number[] | undefined
  let last: readonly number[] | undefined
  let timer = kill?.after === 'start' ? killIn(child, kill.ms) : undefined
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'done') {
      isDone = true
      return
    }
    const [reported = '', ...heights] = line.trim().split(' ')
    phase = reported
    if (heights.length > 0) last = heights.map(Number)
    if (first === undefined && last !== undefined) onHeights()
    first ??= last
    const isReached = kill?.after === phase || (kill?.after === 'heights' && last !== undefined)
    if (isReached) timer ??= killIn(child, kill.ms)
  })
  await ended
  clearTimeout(timer)
  return { first, last, phase, isDone, errors }
}

function killIn(child: ChildProcess, ms: number): NodeJS.Timeout {
  return setTimeout(() => child.kill('SIGKILL'), ms)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** One run of an indexing process. For tests only. */
export interface ProcessRun {
  /** Heights of the chains (P, X, C) in the first report. `last` contains the heights in the last report. */
  readonly first: readonly number[] | undefined
  readonly last: readonly number[] | undefined
  /** Whether the process reached the end of the archive before it was killed. */
  readonly isDone: boolean
  readonly errors: string
}

/**
 * When a process is killed: `ms` milliseconds after its start, or after its first report. Undefined means
 * never.
 */
export type Kill = { readonly after: 'start' | 'first'; readonly ms: number } | undefined

const CHILD = fileURLToPath(new URL('crashChild.ts', import.meta.url))

/** Runs an indexing process until it ends or is killed with SIGKILL. For tests only. */
export async function runProcess(args: readonly string[], kill: Kill): Promise<ProcessRun> {
  const child = spawn(process.execPath, ['--conditions=source', CHILD, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // With an empty value, the process creates its database cluster itself, so it can be killed while it does so.
    env: { ...process.env, FIRN_EMPTY_CLUSTER: '' },
  })
  const ended = new Promise<void>((settle) => child.once('close', () => settle()))
  let [errors, isDone] = ['', false]
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
    last = line.split(' ').map(Number)
    first ??= last
    if (kill?.after === 'first') timer ??= killIn(child, kill.ms)
  })
  await ended
  clearTimeout(timer)
  return { first, last, isDone, errors }
}

function killIn(child: ChildProcess, ms: number): NodeJS.Timeout {
  return setTimeout(() => child.kill('SIGKILL'), ms)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ChildOptions } from './evmChild.ts'

/** A running indexing process. For tests only. */
export interface IndexingProcess {
  /** Returns the height of the newest block that the process reported; -1 before its first report. */
  readonly height: () => number
  readonly isRunning: () => boolean
  readonly exitCode: () => number | null
  readonly errors: () => string
  /** Returns the last line of the process's output. */
  readonly lastLine: () => string
  /** Sends a signal to the process and waits until it exits. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  readonly ended: Promise<void>
}

const CHILD = fileURLToPath(new URL('evmChild.ts', import.meta.url))

/** `firn evm` limits the growth of its heap in the same way. */
const HEAP_GROWTH = '--heap-growing-percent=100'

/** Starts an indexing process, with options of Node.js if given. For tests only. */
export function startProcess(options: ChildOptions, nodeOptions: readonly string[] = []): IndexingProcess {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--conditions=source', HEAP_GROWTH, ...nodeOptions, CHILD, JSON.stringify(options)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let [height, errors, line] = [-1, '', '']
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (text) => {
      line = text
      const reported = Number(text.split(' ')[0])
      if (Number.isInteger(reported)) height = reported
    })
  }
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = new Promise<void>((settle) => child.once('close', () => settle()))
  return {
    height: () => height,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    exitCode: () => child.exitCode,
    errors: () => errors,
    lastLine: () => line,
    ended,
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}

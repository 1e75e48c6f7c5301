import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ended } from './growing.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const URL_LINE = /^(?:node API|Data API) +(http:\S+)/

/** A service process that can be killed, paused and restarted. For tests only. */
export class Replica {
  readonly kind: string
  readonly #argv: readonly string[]
  #child: ChildProcess | undefined
  #url: string | undefined
  #isPaused = false
  #lines: string[] = []

  constructor(kind: string, argv: readonly string[]) {
    this.kind = kind
    this.#argv = argv
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** URL of the service; undefined while it is down or starting. */
  get url(): string | undefined {
    return this.#url
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** The last lines of the output, joined for use in error messages. */
  get lines(): string {
    return this.#lines.slice(-30).join('\n')
  }

  /**
   * Starts the process. Its {@link url} is known once it serves requests. Calls `onEnd` if the process exits
   * unexpectedly.
   */
  start(onEnd: (reason: string) => void): void {
    const child = spawn(process.execPath, ['--conditions=source', MAIN, ...this.#argv], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.#lines = [...this.#lines.slice(-100), line]
        if (this.#child === child) this.#url ??= URL_LINE.exec(line)?.[1]
      })
    }
    child.once('exit', (code, signal) => {
      if (this.#child === child) onEnd(`${this.kind} ended with ${code ?? signal}:\n${this.lines}`)
    })
  }

  pause(): void {
    this.#isPaused = true
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#isPaused = false
    this.#child?.kill('SIGCONT')
  }

  /** Stops the process, and returns its exit code, or null after SIGKILL. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child
    this.#child = undefined
    this.#url = undefined
    if (child === undefined) return null
    if (this.#isPaused) child.kill('SIGCONT')
    this.#isPaused = false
    await ended(child, () => child.kill(signal))
    return child.exitCode
  }
}

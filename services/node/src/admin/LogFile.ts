import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Where and how much a {@link LogFile} keeps. */
export interface LogFileOptions {
  /** Its folder is made. */
  readonly path: string
  /** Bytes after which a new file begins. */
  readonly maxSize: number
  /** Full files kept beside the one that is written. */
  readonly maxFiles: number
  /** Milliseconds since 1970: full files are named by it. */
  readonly now: () => number
  /** Told once when lines begin to be lost, such as on a full disk. */
  readonly onLost: (error: unknown) => void
}

/**
 * A file of log lines that moves aside when it is full. Lines are written at once, so that the last ones before a crash are there;
 * a line that can't be written is lost, and nothing else.
 */
export class LogFile {
  readonly #options: LogFileOptions
  #file: number | undefined
  #size = 0
  #isLosing = false

  constructor(options: LogFileOptions) {
    this.#options = options
  }

  /** Appends a text, which is one or more whole lines. */
  write(text: string): void {
    try {
      const file = this.#opened()
      this.#size += writeSync(file, text)
      this.#isLosing = false
    } catch (error) {
      this.close()
      if (!this.#isLosing) this.#options.onLost(error)
      this.#isLosing = true
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #opened(): number {
    const { path, maxSize } = this.#options
    if (this.#file !== undefined && this.#size < maxSize) return this.#file
    if (this.#file !== undefined) this.#moveAside()
    mkdirSync(dirname(path), { recursive: true, mode: 0o750 })
    const file = openSync(path, 'a', 0o640)
    this.#file = file
    this.#size = fstatSync(file).size
    return file
  }

  #moveAside(): void {
    const { path, maxFiles, now } = this.#options
    this.close()
    const stem = path.replace(/\.log$/, '')
    renameSync(path, `${stem}-${new Date(now()).toISOString().replaceAll(':', '-')}.log`)
    const folder = dirname(path)
    const prefix = `${stem.slice(folder.length + 1)}-`
    const full = readdirSync(folder).filter((name) => isFull(name, prefix))
    for (const name of full.sort().slice(0, -maxFiles)) rmSync(join(folder, name), { force: true })
  }
}

const STAMP = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.log$/

function isFull(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && STAMP.test(name.slice(prefix.length))
}

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

/** Options of a {@link LogFile}. */
export interface LogFileOptions {
  /** Path of the file. Its folder is created if it is missing. */
  readonly path: string
  /** Size in bytes after which a new file is started. */
  readonly maxSize: number
  /** Number of full files that are kept in addition to the current one. */
  readonly maxFiles: number
  /** Returns the time in milliseconds since 1970. The names of full files contain this time. */
  readonly now: () => number
  /** Called when the first line is lost, for example because the disk is full. */
  readonly onLost: (error: unknown) => void
}

/**
 * A log file with rotation. Lines are written synchronously, so they are on disk even if the process crashes
 * afterwards. If a write fails, only the lines of this write are lost.
 */
export class LogFile {
  readonly #options: LogFileOptions
  #file: number | undefined
  #size = 0
  #isLosing = false

  constructor(options: LogFileOptions) {
    this.#options = options
  }

  /** Appends one or more complete lines. */
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

import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { goOsError } from '../internal/goOsError.ts'
import { methodError } from '../Service.ts'
import { Contention, formatMutexProfile } from './Contention.ts'
import * as Pprof from './Pprof.ts'
import * as V8Profiles from './V8Profiles.ts'

/** Options of {@link Profiler}. */
export interface ProfilerOptions {
  /** Folder of the profiles. It is created when the first profile is written. */
  readonly folder: string
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
}

const CPU_INTERVAL_MICROSECONDS = 1_000
/** Average number of allocated bytes per sample, as in Go. */
const HEAP_INTERVAL_BYTES = 512 * 1024
const FOLDER_MODE = 0o750
const FILE_MODE = 0o640

/**
 * Writes profiles of this process that `go tool pprof` can read. Sampling of allocations and measuring of
 * delays start with the creation of the profiler. All methods throw RpcError `RPC_REMOTE` with the node's
 * texts.
 */
export class Profiler {
  readonly #options: ProfilerOptions
  readonly #session = new Session()
  readonly #contention = new Contention()
  readonly #startedAt: number
  readonly #heapSampling: Promise<unknown>
  #cpu: { readonly file: Promise<FileHandle>; readonly startedAt: number } | undefined

  constructor(options: ProfilerOptions) {
    this.#options = options
    this.#startedAt = options.now()
    this.#session.connect()
    this.#heapSampling = this.#sampleHeap()
  }

  /** Truncates `cpu.profile` and starts sampling; {@link stopCpu} writes the samples. */
  async startCpu(): Promise<void> {
    if (this.#cpu !== undefined) throw methodError('cpu profiler already running')
    const cpu = { file: this.#create('cpu.profile'), startedAt: this.#options.now() }
    this.#cpu = cpu
    try {
      await cpu.file
      await this.#session.post('Profiler.enable')
      await this.#session.post('Profiler.setSamplingInterval', { interval: CPU_INTERVAL_MICROSECONDS })
      await this.#session.post('Profiler.start')
    } catch (error) {
      this.#cpu = undefined
      throw error
    }
  }

  /** Stops sampling and writes `cpu.profile`. */
  async stopCpu(): Promise<void> {
    const cpu = this.#cpu
    if (cpu === undefined) throw methodError("cpu profiler doesn't exist")
    this.#cpu = undefined
    const file = await cpu.file
    const { profile } = await this.#session.post('Profiler.stop')
    const bytes = Pprof.encode(V8Profiles.cpuSamples(profile), {
      kinds: V8Profiles.CPU_KINDS,
      period: { kind: V8Profiles.CPU_KINDS[1] as Pprof.Kind, value: CPU_INTERVAL_MICROSECONDS * 1_000 },
      time: nanoseconds(cpu.startedAt),
      duration: BigInt(Math.round(profile.endTime - profile.startTime)) * 1_000n,
    })
    await this.#finish('cpu.profile', file, bytes)
  }

  /** Collects garbage and writes `mem.profile`. */
  async memory(): Promise<void> {
    const file = await this.#create('mem.profile')
    await this.#heapSampling
    await this.#session.post('HeapProfiler.collectGarbage')
    const profile = await this.#heapProfile()
    const now = this.#options.now()
    const bytes = Pprof.encode(V8Profiles.heapSamples(profile), {
      kinds: V8Profiles.HEAP_KINDS,
      period: { kind: { type: 'space', unit: 'bytes' }, value: HEAP_INTERVAL_BYTES },
      time: nanoseconds(now),
      duration: nanoseconds(now - this.#startedAt),
    })
    await this.#finish('mem.profile', file, bytes)
  }

  /** Writes `lock.profile`. */
  async lock(): Promise<void> {
    const file = await this.#create('lock.profile')
    await this.#finish('lock.profile', file, formatMutexProfile(this.#contention.waits()))
  }

  /** Stops all measurements; discards a running CPU profile. */
  async close(): Promise<void> {
    this.#contention.close()
    await this.#heapSampling
    this.#session.disconnect()
    await this.#cpu?.file.then((file) => file.close())
    this.#cpu = undefined
  }

  #sampleHeap(): Promise<unknown> {
    return this.#session.post('HeapProfiler.startSampling', { samplingInterval: HEAP_INTERVAL_BYTES })
  }

  /**
   * Returns the heap profile. A process has only one allocation sampler, so sampling is restarted if another
   * profiler stopped it.
   */
  async #heapProfile(): Promise<V8Profiles.HeapProfile> {
    const ask = () => this.#session.post('HeapProfiler.getSamplingProfile')
    const { profile } = await ask().catch(() => this.#sampleHeap().then(ask))
    return profile as unknown as V8Profiles.HeapProfile
  }

  async #create(name: string): Promise<FileHandle> {
    const { folder } = this.#options
    const path = join(folder, name)
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE }).catch((error) => {
      // Go reports this error if a file exists at the folder's path.
      if (error.code === 'EEXIST') throw methodError(`mkdir ${folder}: not a directory`)
      throw goOsError(error, 'mkdir', folder)
    })
    try {
      const file = await open(path, 'w', FILE_MODE)
      // Opening an existing file does not change its mode.
      await file.chmod(FILE_MODE)
      return file
    } catch (error) {
      throw goOsError(error, 'open', path)
    }
  }

  async #finish(name: string, file: FileHandle, contents: string | Uint8Array): Promise<void> {
    try {
      await file.writeFile(contents)
    } catch (error) {
      throw goOsError(error, 'write', join(this.#options.folder, name))
    } finally {
      await file.close()
    }
  }
}

function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1e6))
}

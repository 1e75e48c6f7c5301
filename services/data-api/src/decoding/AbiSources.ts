import { stat } from 'node:fs/promises'
import { Hex } from '@firn/codec'
import { AbiSignature, ContractAbi, EventAbi, MethodNames, StandardAbi } from '@firn/evm'
import type { Clock, Logger } from '@firn/runtime'
import { type AbiFolder, openAbiFolder, type VerifiedAbi } from './AbiFolder.ts'
import * as SelectorFile from './SelectorFile.ts'

/** Where the signature of a guess is from: the operator's selector file, or the standards that Firn knows. */
export type GuessOrigin = 'selectors' | 'standard'

/** A function or an event that has a selector or topic. Another one may have the same. */
export interface Guess<T> {
  readonly origin: GuessOrigin
  readonly abi: T
}

/** ABIs of contracts, and signatures by selectors. They change with the operator's files. */
export interface AbiSources {
  /** Text that changes whenever {@link AbiSources.methodName} may change. */
  readonly revision: string
  /** Whether contracts can have verified ABIs. */
  readonly hasVerified: boolean
  /** Returns the verified ABI of a contract. */
  verified(chainId: bigint, address: Uint8Array): Promise<VerifiedAbi | undefined>
  /** Returns the functions with a selector (hex without `0x`). */
  functions(selector: string): readonly Guess<ContractAbi.FunctionAbi>[]
  /** Returns the events with a first topic (hex without `0x`), in a log with a number of topics. */
  events(topic: string, topics: number): readonly Guess<EventAbi.EventAbi>[]
  /** Returns the signature of a function by its selector; undefined if several are known. */
  methodName(selector: Uint8Array): string | undefined
  /** Descriptions of the current problems, such as a selector file that can no longer be used. */
  readonly problems: readonly string[]
  close(): void
}

/** Options of {@link open}. */
export interface AbiSourcesOptions {
  /** Folder of verified contracts in the format of Sourcify. */
  readonly folder?: string | undefined
  /** File of signatures. */
  readonly selectors?: string | undefined
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** Interval at which the selector file is examined for changes, in milliseconds. */
const LOOK_MS = 1_000
const NOTHING: SelectorFile.Selectors = {
  ...{ functions: new Map(), events: new Map(), count: 0, problems: [], omitted: 0 },
}

/** The signatures of common standards, without files of an operator. */
export const STANDARD: AbiSources = create(() => NOTHING, undefined, {
  revision: () => '0',
  problems: () => [],
  close: () => {},
})

/**
 * Opens the operator's ABIs and signatures. The selector file is read again whenever it changes. While it cannot be
 * used, the signatures before the change are used.
 * @throws DataApiError `DATA_CONFIGURATION` if the folder or the file does not exist, or if the file is no selector file
 */
export async function open({
  folder: path,
  selectors: file,
  clock,
  log,
}: AbiSourcesOptions): Promise<AbiSources> {
  const folder = path === undefined ? undefined : await openAbiFolder({ path, now: clock.now, log })
  if (file === undefined)
    return create(() => NOTHING, folder, { revision: () => '0', problems: () => [], close: () => {} })
  let version = await versionOf(file)
  let selectors = await SelectorFile.read(file)
  let reloads = 0
  let problem: string | undefined
  const report = () => {
    const { count, omitted, problems } = selectors
    if (omitted > 0) log.warn({ file, omitted, problems }, 'signatures left out')
    log.info({ file, signatures: count }, 'signatures loaded')
  }
  report()
  const look = async () => {
    const found = await versionOf(file)
    if (found === version) return
    version = found
    try {
      selectors = await SelectorFile.read(file)
      problem = undefined
      reloads++
      report()
    } catch (error) {
      problem = `${(error as Error).message}; the signatures before the change are used`
      log.warn({ file, reason: (error as Error).message }, 'signatures not reloaded')
    }
  }
  const stop = new AbortController()
  const run = async () => {
    while (true) {
      await clock.sleep(LOOK_MS, stop.signal)
      await look()
    }
  }
  // It rejects only when it is aborted.
  void run().catch(() => undefined)
  return create(() => selectors, folder, {
    revision: () => String(reloads),
    problems: () => (problem === undefined ? [] : [problem]),
    close: () => stop.abort(),
  })
}

interface State {
  readonly revision: () => string
  readonly problems: () => readonly string[]
  readonly close: () => void
}

function create(
  selectors: () => SelectorFile.Selectors,
  folder: AbiFolder | undefined,
  state: State,
): AbiSources {
  const functions = (selector: string): readonly Guess<ContractAbi.FunctionAbi>[] => {
    const own = (selectors().functions.get(selector) ?? []).map((text) => ({
      origin: 'selectors' as const,
      abi: AbiSignature.parse(text).abi,
    }))
    const standard = StandardAbi.functions(selector).map((abi) => ({ origin: 'standard' as const, abi }))
    return distinct([...standard, ...own], ContractAbi.signature)
  }
  return {
    get revision() {
      return state.revision()
    },
    hasVerified: folder !== undefined,
    verified: async (chainId, address) => folder?.find(chainId, address),
    functions,
    events: (topic, topics) => {
      const own = (selectors().events.get(topic) ?? []).flatMap((text) => {
        const described = AbiSignature.parse(text)
        if (described.kind !== 'event') return []
        const abi = described.isExact ? described.abi : withIndexed(described.abi, topics - 1)
        return [{ origin: 'selectors' as const, abi }]
      })
      const standard = StandardAbi.events(topic).map((abi) => ({ origin: 'standard' as const, abi }))
      const shape = (event: EventAbi.EventAbi) =>
        `${EventAbi.signature(event)} ${event.inputs.map(({ indexed }) => Number(indexed)).join('')}`
      return distinct([...standard, ...own], shape)
    },
    methodName: (selector) => {
      const standard = MethodNames.of(selector)
      if (standard !== undefined) return standard
      const [found, ...others] = functions(Hex.encodeBare(selector))
      return found === undefined || others.length > 0 ? undefined : ContractAbi.signature(found.abi)
    },
    get problems() {
      return state.problems()
    },
    close: state.close,
  }
}

/** Most contracts index the first parameters, so these are tried if a signature does not say which are indexed. */
function withIndexed({ name, inputs }: EventAbi.EventAbi, count: number): EventAbi.EventAbi {
  return { name, inputs: inputs.map((input, i) => ({ ...input, indexed: i < count })) }
}

function distinct<T>(guesses: readonly Guess<T>[], keyOf: (abi: T) => string): readonly Guess<T>[] {
  const seen = new Set<string>()
  return guesses.filter(({ abi }) => {
    const key = keyOf(abi)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Returns a text that changes with the file; also if the file is replaced or missing. */
async function versionOf(path: string): Promise<string> {
  const { mtimeNs, size, ino } = await stat(path, { bigint: true }).catch(() => MISSING)
  return `${ino} ${size} ${mtimeNs}`
}

const MISSING = { mtimeNs: 0n, size: 0n, ino: 0n }

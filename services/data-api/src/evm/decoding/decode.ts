import { Hex } from '@firn/codec'
import { AbiDecoder, ContractAbi, type EventAbi, EventDecoder } from '@firn/evm'
import type { EvmProxies, EvmSnapshot } from '@firn/evm-store'
import { type Guess, STANDARD } from '../../decoding/AbiSources.ts'
import type { EvmChainSource } from '../chain/EvmContext.ts'
import { type DecodedBody, parametersBody, type Source, sourceBody } from './Decoded.ts'
import { type Position, verifiedAbis } from './verifiedAbis.ts'

/** A call of a contract. */
export interface Call extends EvmProxies.ProxyPlace {
  readonly to: Uint8Array
  readonly input: Uint8Array
}

/** A log at its position. */
export interface LogAt extends EvmProxies.ProxyPlace {
  readonly address: Uint8Array
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** Decodes the calls and logs of an answer. */
export interface Decoder {
  call(call: Call): DecodedBody
  log(log: LogAt): DecodedBody
}

/** Maximum size of data that are decoded, and of all in an answer, in bytes. */
const MAX_BYTES = 128 << 10
const MAX_BYTES_OF_ANSWER = 1 << 20
/** Maximum number of alternatives that are named. */
const MAX_ALTERNATIVES = 8
const SELECTOR_BYTES = 4

/** A function or an event with its origin, and whether it is only a guess. */
interface Candidate<T> {
  readonly abi: T
  readonly source: Source
  readonly isGuess: boolean
}

/**
 * Looks up the ABIs of contracts, and of the implementations that proxies among them had at the positions. The
 * positions must be those that are decoded later.
 */
export async function decoderFor(
  source: EvmChainSource,
  at: EvmSnapshot,
  calls: readonly Call[],
  logs: readonly LogAt[],
): Promise<Decoder> {
  const { abis = STANDARD } = source
  const positions = [...calls.map((call) => ({ ...call, address: call.to })), ...logs]
  const verified = await verifiedAbis(source, at, positions)
  /** Returns what a verified ABI has, or else what signatures are known. */
  const candidates = <T>(
    position: Position,
    select: (abi: ContractAbi.ContractAbi) => readonly T[] | undefined,
    guesses: () => readonly Guess<T>[],
  ): readonly Candidate<T>[] => {
    for (const { abi, source } of verified(position)) {
      const own = select(abi)
      if (own !== undefined) return own.map((abi) => ({ abi, source, isGuess: false }))
    }
    return guesses().map(({ abi, origin }) => ({ abi, source: { kind: origin }, isGuess: true }))
  }
  let left = MAX_BYTES_OF_ANSWER
  const limited = (size: number): DecodedBody | undefined => {
    if (size > MAX_BYTES) return { reason: `${size} bytes are more than the ${MAX_BYTES} that are decoded` }
    left -= size
    if (left >= 0) return undefined
    return {
      reason: 'the answer has too many bytes to decode all of them; request fewer transactions or logs',
    }
  }
  return {
    call: (call) => {
      const { to, input, ...place } = call
      const tooLarge = limited(input.length)
      if (tooLarge !== undefined) return tooLarge
      if (input.length < SELECTOR_BYTES) return { reason: 'the input is shorter than a selector' }
      const selector = Hex.encodeBare(input.subarray(0, SELECTOR_BYTES))
      const all = candidates(
        { ...place, address: to },
        ({ functions }) => functions.get(selector),
        () => abis.functions(selector),
      )
      const decode = ({ inputs }: ContractAbi.FunctionAbi) =>
        AbiDecoder.decode(inputs, input.subarray(SELECTOR_BYTES))
      return best(all, decode, 'no known function has this selector')
    },
    log: (log) => {
      const { topics, data } = log
      const tooLarge = limited(data.length)
      if (tooLarge !== undefined) return tooLarge
      const [first] = topics
      if (first === undefined) return { reason: 'the log has no topics' }
      const topic = Hex.encodeBare(first)
      const all = candidates(
        log,
        ({ events }) => events.get(topic),
        () => abis.events(topic, topics.length),
      )
      return best(all, (event) => EventDecoder.attempt(event, log), 'no known event has this topic')
    },
  }
}

type Outcome = AbiDecoder.Decoded | AbiDecoder.Undecodable

/** Returns what the first candidate that fits decodes. Of several, those without extra bytes come first. */
function best<T extends { readonly name: string; readonly inputs: readonly EventAbi.Parameter[] }>(
  candidates: readonly Candidate<T>[],
  decode: (abi: T) => Outcome,
  unknown: string,
): DecodedBody {
  const outcomes = candidates.map((candidate) => ({ candidate, outcome: decode(candidate.abi) }))
  const fitting = outcomes
    .flatMap(({ candidate, outcome }) => ('values' in outcome ? [{ candidate, decoded: outcome }] : []))
    .toSorted((one, other) => Number(one.decoded.extraBytes > 0) - Number(other.decoded.extraBytes > 0))
  const [found, ...others] = fitting
  if (found === undefined) {
    const [failed] = outcomes
    if (failed === undefined) return { reason: unknown }
    const { candidate, outcome } = failed
    return { ...headOf(candidate), reason: 'reason' in outcome ? outcome.reason : unknown }
  }
  const { candidate, decoded } = found
  const signature = ContractAbi.signature(candidate.abi)
  const alternatives = [...new Set(others.map(({ candidate: { abi } }) => ContractAbi.signature(abi)))]
    .filter((one) => one !== signature)
    .slice(0, MAX_ALTERNATIVES)
  return {
    ...headOf(candidate),
    parameters: parametersBody(candidate.abi.inputs, decoded.values),
    extraBytes: decoded.extraBytes === 0 ? undefined : decoded.extraBytes,
    alternatives: alternatives.length === 0 ? undefined : alternatives,
  }
}

function headOf({ abi, source, isGuess }: Candidate<ContractAbi.FunctionAbi>) {
  return { signature: ContractAbi.signature(abi), source: sourceBody(source), isGuess }
}

import type { BoundPort } from '@firn/http'
import type { PeerServerOptions, Timers } from '@firn/p2p'
import { DevnetError } from './DevnetError.ts'
import type { State } from './State.ts'

const MAX_U64 = 2n ** 64n - 1n
const MAX_PORT = 65_535

/** An L1 that exists from the start. */
export interface L1Options {
  /** Name of the L1's chain; defaults to `l1-1`, `l1-2` and so on. */
  readonly name?: string
  /** Number of validators; defaults to 5, or to all nodes if there are fewer. */
  readonly validators?: number
  /**
   * Whether the validators are the first validators of the Primary Network (the default) or separate nodes,
   * which do not run the C-chain.
   */
  readonly nodes?: 'primary' | 'own'
  /** Weights in the order of the validators; each defaults to 100. */
  readonly weights?: readonly bigint[]
  /** Positions of validators without a balance. They cannot sign, but their weight counts. */
  readonly inactive?: readonly number[]
  /** Chain of the validator manager: the L1's own chain (the default) or the C-chain. */
  readonly manager?: 'self' | 'c'
}

/** A node, identified by its NodeID and its BLS key. */
export interface Node {
  /** 20 bytes. */
  readonly nodeId: Uint8Array
  /** Compressed BLS key, 48 bytes. */
  readonly publicKey: Uint8Array
}

/** Options of a devnet. */
export interface DevnetOptions {
  /** Number of Primary Network validators; defaults to 5. */
  readonly validators?: number
  /** Weights of the validators in nAVAX, in order; each defaults to 2 * 10^15. */
  readonly weights?: readonly bigint[]
  /** Indices of validators that never registered a BLS key. They cannot sign, but their weight counts. */
  readonly keyless?: readonly number[]
  /**
   * Number of running nodes that do not validate yet, for tests that change validator sets; defaults to 0.
   */
  readonly spares?: number
  /** Network id; defaults to 12345. */
  readonly networkId?: number
  /** Seed from which all keys and ids are derived; defaults to `firn`. */
  readonly seed?: string
  readonly l1s?: readonly L1Options[]
  /**
   * Returns the initial P-chain state if another component maintains the P-chain, such as the replay of a
   * recording. The state may use `nodes` as validators, in order. Cannot be combined with `l1s`; `weights`
   * and `keyless` are ignored.
   */
  readonly platform?: (nodes: readonly Node[]) => State
  /**
   * Whether the network has real chains: a genesis with these validators, P-, X- and C-chain blocks that are built from
   * issued and pushed transactions, and the APIs of a node. Otherwise, only the P-chain's state is simulated. Cannot be
   * combined with `platform`, `weights` and `keyless`.
   */
  readonly buildBlocks?: boolean
  /** Time in milliseconds from a transaction to its block; defaults to 250. */
  readonly buildDelayMs?: number
  /** Host to listen on; defaults to 127.0.0.1. */
  readonly host?: string
  /** Port of the HTTP APIs; defaults to any free port. */
  readonly rpcPort?: BoundPort.Port
  /** Port of the first validator. Validator `i` listens on this port plus `i`. Defaults to any free ports. */
  readonly stakingPort?: number
  /** Interval in milliseconds at which P-chain blocks are accepted automatically; by default none are. */
  readonly blockIntervalMs?: number
  /** Time in milliseconds after acceptance before a block is proposed; defaults to 30,000. */
  readonly proposedLagMs?: number
  /** Length of an epoch in milliseconds; defaults to the network's. */
  readonly epochDurationMs?: number
  /**
   * Time of the upgrade Helicon in Unix seconds, for a network that builds blocks; defaults to the network's. Local networks
   * have none.
   */
  readonly heliconTime?: bigint
  /** Returns the time of the P-chain in Unix milliseconds; defaults to the time of `timers`. */
  readonly now?: () => number
  /** Faults in the form that `Fault.assign` reads. */
  readonly faults?: unknown
  /** Clock and timers; default to the clock and timers of the process. */
  readonly timers?: Timers.Timers
  /** Limits on the connections of validators; default to a node's limits. */
  readonly server?: Pick<
    PeerServerOptions,
    'bls' | 'validatorKey' | 'admission' | 'version' | 'compatibility' | 'limits' | 'chains'
  >
}

/** Options of an L1, completed with default values. */
export type FullL1Options = Required<L1Options>

/**
 * Completes the options of L1s with default values.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function completeL1s(l1s: readonly L1Options[], validators: number): readonly FullL1Options[] {
  return l1s.map((l1, index) => {
    const { name = `l1-${index + 1}`, nodes = 'primary', manager = 'self', inactive = [] } = l1
    const count = l1.validators ?? (nodes === 'primary' ? Math.min(5, validators) : 5)
    if (!Number.isInteger(count) || count < 1)
      throw wrong(`${name}: expected at least 1 validator, got ${count}`)
    if (nodes === 'primary' && count > validators)
      throw wrong(`${name}: expected at most ${validators} validators, got ${count}`)
    const weights = Array.from({ length: count }, (_, position) => l1.weights?.[position] ?? 100n)
    if (inactive.some((position) => position >= count))
      throw wrong(
        `${name}: expected positions of inactive validators below ${count}, got ${inactive.join(', ')}`,
      )
    checkWeights(name, weights)
    return { name, nodes, manager, inactive, validators: count, weights }
  })
}

/**
 * Checks the limits of the P-chain: each weight is at least 1, and the total is at most 2^64 - 1.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function checkWeights(name: string, weights: readonly bigint[]): void {
  const refused = weights.find((weight) => weight < 1n || weight > MAX_U64)
  if (refused !== undefined) throw wrong(`${name}: expected each weight from 1 to ${MAX_U64}, got ${refused}`)
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  if (total > MAX_U64) throw wrong(`${name}: expected a total weight of at most ${MAX_U64}, got ${total}`)
}

/**
 * Returns `value` if it is a valid number of validators, which is an integer of at least `minimum`.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function checkCount(name: string, value: number, minimum: number): number {
  if (Number.isInteger(value) && value >= minimum) return value
  throw wrong(`${name}: expected a whole number of at least ${minimum}, got ${value}`)
}

/**
 * Checks that each node can have its own port, starting with `port`. Port 0 stands for any free ports.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function checkPort(name: string, port: number, nodes: number): void {
  const last = port === 0 ? 0 : port + nodes - 1
  if (Number.isInteger(port) && port >= 0 && last <= MAX_PORT) return
  throw wrong(`${name}: expected a port from 0 to ${MAX_PORT - nodes + 1}, got ${port}`)
}

function wrong(message: string): DevnetError {
  return new DevnetError('DEVNET_OPTIONS', message)
}

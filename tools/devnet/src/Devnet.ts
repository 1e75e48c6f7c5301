import type { Change } from './Change.ts'
import type { L1, PrimaryChains } from './Genesis.ts'
import type { Chain, State } from './State.ts'
import type { Timeline } from './Timeline.ts'
import type { Validator } from './Validator.ts'

/** A message to accept on an EVM chain. */
export interface AcceptMessage {
  /** A chain, its id, its name or its alias. */
  readonly chain: Chain | Uint8Array | string
  /** The payload that the contract sent. */
  readonly payload: Uint8Array
  /** 20 bytes: the contract or account that sent it; by default all 0x11. */
  readonly sourceAddress?: Uint8Array
  /** Indices of the nodes that know it; by default all. */
  readonly nodes?: readonly number[]
}

/** A validator of a devnet, with its current weight. */
export interface DevnetValidator extends Validator {
  /** On the Primary Network, at the tip; 0 for a node that does not validate it. */
  readonly weight: bigint
}

/** A running network. */
export interface Devnet {
  readonly networkId: number
  /** Base without path: `/ext/info`, `/ext/bc/P`, `/ext/P`, `/ext/bc/{chain}/proposervm`, `/devnet`. */
  readonly rpcUrl: string
  /** Primary Network validators first, then nodes of L1s only, then spare ones. */
  readonly validators: readonly DevnetValidator[]
  readonly chains: PrimaryChains & { readonly l1s: readonly Chain[] }
  readonly l1s: readonly L1[]
  readonly timeline: Timeline
  /** The P-chain's state at the tip. */
  readonly state: State
  /**
   * Lets nodes sign an AddressedCall of an EVM chain and returns the unsigned message. @throws DevnetError
   * `DEVNET_UNKNOWN`
   */
  acceptMessage(message: AcceptMessage): Uint8Array
  /**
   * Lets all or some nodes sign unsigned message bytes of any content. @throws DevnetError `DEVNET_UNKNOWN`
   */
  acceptUnsigned(chain: AcceptMessage['chain'], message: Uint8Array, nodes?: readonly number[]): void
  /** Accepts a block hash (32 bytes) on an EVM chain. @throws DevnetError `DEVNET_UNKNOWN` */
  acceptBlock(chain: AcceptMessage['chain'], hash: Uint8Array, nodes?: readonly number[]): void
  /** Sets how long (seconds) all nodes of an L1 saw a validation up. @throws DevnetError `DEVNET_UNKNOWN` */
  setUptime(chain: AcceptMessage['chain'], validationId: Uint8Array, seconds: bigint): void
  /** Accepts a P-chain block and returns the new state. @throws DevnetError `DEVNET_CHANGE` */
  advance(changes?: readonly Change[]): State
  /**
   * Accepts a P-chain block with the given resulting state, for a chain that another component maintains.
   * @throws DevnetError `DEVNET_CHANGE`
   */
  follow(state: State): void
  /** Makes platform.getTx return these signed bytes, and returns their id (32 bytes). */
  acceptTransaction(bytes: Uint8Array): Uint8Array
  /**
   * Assigns faults to validators in the form that `Fault.assign` reads, in addition to their existing ones;
   * `cancelling` is set at both partners.
   */
  setFaults(faults: unknown): void
  clearFaults(): void
  /**
   * Resolves when every validator's part of a handshake is ready. Large networks prepare them in the
   * background (20 ms each); earlier connections wait for the missing ones, one validator after the other.
   */
  warm(): Promise<void>
  close(): Promise<void>
}

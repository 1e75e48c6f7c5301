import { Hex, Id } from '@firn/codec'
import * as Records from '../Records.ts'
import { Draft } from './Draft.ts'
import { refuse } from './refuse.ts'
import type { Rules, Tables } from './Tables.ts'

/** The pending effects of a P-chain block on a state. */
export class PlatformDraft extends Draft {
  /**
   * Height of the block to which the next transaction is assigned (the proposal's block while a proposal is
   * decided), and the transaction's index in that block.
   */
  #block: bigint
  #position = 0

  constructor(tables: Tables, rules: Rules) {
    super(tables, rules, 'P')
    this.#block = this.height
  }

  /** Returns the record with the given secondary key, or undefined. */
  find<Name extends 'staker' | 'l1Validator'>(name: Name, key: string): Records.Records[Name] | undefined {
    return this.table(name).find(key)
  }

  /** Iterates over a table in its order. The table must not be changed during the iteration. */
  ordered<Name extends Records.TableName>(name: Name): Iterable<Records.Records[Name]> {
    return this.table(name).ordered() as Iterable<Records.Records[Name]>
  }

  get platform(): Records.PlatformTip {
    return this.tip.platform as Records.PlatformTip
  }

  setPlatform(part: Partial<Records.PlatformTip>): void {
    this.setTip({ platform: { ...this.platform, ...part } })
  }

  /** Assigns the following transactions to the block at `height`. */
  enter(height: bigint): void {
    this.#block = height
  }

  /** Returns the height of the next transaction's block and the transaction's index in it. */
  nextPlace(): { readonly height: bigint; readonly position: number } {
    return { height: this.#block, position: this.#position++ }
  }

  subnet(subnetId: Uint8Array): Records.Subnet {
    const found = this.get('subnet', Hex.encodeBare(subnetId))
    if (found === undefined) {
      const text = Id.format(subnetId)
      return refuse('LEDGER_SUBNET', `unknown subnet ${text}`, { subnetId: text })
    }
    return found
  }

  /**
   * Returns a subnet whose owner still controls its chains and validators. The subnet must be neither elastic
   * nor an L1.
   */
  permissionedSubnet(subnetId: Uint8Array): Records.Subnet {
    const found = this.subnet(subnetId)
    if (found.transformation === undefined && found.conversion === undefined) return found
    const text = Id.format(subnetId)
    return refuse('LEDGER_SUBNET', `subnet ${text} is no longer permissioned`, { subnetId: text })
  }

  supply(subnetId: Uint8Array): Records.Supply {
    const found = this.get('supply', Hex.encodeBare(subnetId))
    if (found === undefined) {
      const text = Id.format(subnetId)
      return refuse('LEDGER_SUPPLY', `subnet ${text} has no supply, so it cannot pay rewards`, {
        subnetId: text,
      })
    }
    return found
  }

  /** Returns true if a registration was already used and has not expired. */
  hasExpiry(expiry: Records.Expiry): boolean {
    return this.get('expiry', Records.KEYS.expiry(expiry)) !== undefined
  }

  /** Adds an amount to the supply of a subnet. The amount may be negative. */
  addSupply(subnetId: Uint8Array, amount: bigint): void {
    if (amount === 0n) return
    const before = this.supply(subnetId)
    this.write('supply', before, { ...before, supply: before.supply + amount })
  }

  member(subnetId: Uint8Array, nodeId: Uint8Array): Records.Member | undefined {
    return this.get('member', Records.memberKey(subnetId, nodeId))
  }

  /**
   * Adds weight to a member of a validator set. The weight may be negative; a member with weight 0 is
   * removed.
   */
  addWeight(subnetId: Uint8Array, nodeId: Uint8Array, weight: bigint, publicKey?: Uint8Array): void {
    const before = this.member(subnetId, nodeId)
    const sum = (before?.weight ?? 0n) + weight
    const after = {
      subnetId,
      nodeId,
      weight: sum,
      publicKey: before?.publicKey ?? publicKey,
    }
    this.write('member', before, sum === 0n ? undefined : after)
  }
}

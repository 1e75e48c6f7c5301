import { Hex, Id } from '@firn/codec'
import { type PlatformUtxo, UtxoId } from '@firn/txs'
import type { Change, RecordChange } from '../Change.ts'
import * as Records from '../Records.ts'
import { refuse } from './refuse.ts'
import { Overlay } from './Table.ts'
import { LAYOUTS, NAMES, type Rules, type Tables } from './Tables.ts'

type Overlays = { readonly [Name in Records.TableName]: Overlay<Records.Records[Name]> }

/** What a block would do to a state that it leaves as it is: reads see the changes made so far. */
export class Draft {
  readonly changes: Change[] = []
  readonly rules: Rules
  /** The transaction that is being executed; none while time advances. */
  txID: Uint8Array | undefined = undefined
  readonly #tables: Overlays

  constructor(tables: Tables, rules: Rules) {
    this.rules = rules
    const overlay = <Name extends Records.TableName>(name: Name) =>
      new Overlay<Records.Records[Name]>(tables[name], LAYOUTS[name])
    this.#tables = Object.fromEntries(NAMES.map((name) => [name, overlay(name)])) as unknown as Overlays
  }

  get<Name extends Records.TableName>(name: Name, key: string): Records.Records[Name] | undefined {
    return this.#tables[name].get(key)
  }

  /** The record under a table's second key. */
  find<Name extends 'staker' | 'l1Validator'>(name: Name, key: string): Records.Records[Name] | undefined {
    return this.#tables[name].find(key)
  }

  /** Not to be gone through while the table is written to. */
  ordered<Name extends Records.TableName>(name: Name): Iterable<Records.Records[Name]> {
    return this.#tables[name].ordered() as Iterable<Records.Records[Name]>
  }

  /** Writes one record: new without `before`, gone without `after`. */
  write<Name extends Records.TableName>(
    type: Name,
    before: Records.Records[Name] | undefined,
    after: Records.Records[Name] | undefined,
  ): void {
    const table = this.#tables[type] as Overlay<Records.Records[Name]>
    table.write(before, after)
    this.changes.push({ type, before, after, txID: this.txID } as RecordChange)
  }

  get tip(): Records.Tip {
    return this.get('tip', '') as Records.Tip
  }

  setTip(part: Partial<Records.Tip>): void {
    this.write('tip', this.tip, { ...this.tip, ...part })
  }

  makeUtxo(utxo: PlatformUtxo.PlatformUtxo, origin: Records.UtxoOrigin): void {
    const rewardTxID = origin === 'reward' ? utxo.txID : undefined
    this.write('utxo', undefined, { id: UtxoId.inputId(utxo), utxo, origin, rewardTxID })
  }

  subnet(subnetID: Uint8Array): Records.Subnet {
    const found = this.get('subnet', Hex.encodeBare(subnetID))
    if (found === undefined) {
      const text = Id.format(subnetID)
      return refuse('LEDGER_SUBNET', `expected a subnet that exists, got ${text}`, { subnetID: text })
    }
    return found
  }

  /** A subnet whose owner still decides on its chains and validators: neither an elastic one nor an L1. */
  permissionedSubnet(subnetID: Uint8Array): Records.Subnet {
    const found = this.subnet(subnetID)
    if (found.transformation === undefined && found.conversion === undefined) return found
    const text = Id.format(subnetID)
    return refuse('LEDGER_SUBNET', `expected a permissioned subnet, got ${text}`, { subnetID: text })
  }

  supply(subnetID: Uint8Array): Records.Supply {
    const found = this.get('supply', Hex.encodeBare(subnetID))
    if (found === undefined) {
      const text = Id.format(subnetID)
      return refuse('LEDGER_SUPPLY', `expected a subnet with a supply, got ${text}`, { subnetID: text })
    }
    return found
  }

  /** True while a registration may not be repeated. */
  hasExpiry(expiry: Records.Expiry): boolean {
    return this.get('expiry', Records.KEYS.expiry(expiry)) !== undefined
  }

  /** Adds to the supply of a subnet, or takes from it. */
  addSupply(subnetID: Uint8Array, amount: bigint): void {
    if (amount === 0n) return
    const before = this.supply(subnetID)
    this.write('supply', before, { ...before, supply: before.supply + amount })
  }

  member(subnetID: Uint8Array, nodeID: Uint8Array): Records.Member | undefined {
    return this.get('member', Records.memberKey(subnetID, nodeID))
  }

  /** Adds weight to a member of a validator set, or takes it; a member without weight is none. */
  addWeight(subnetID: Uint8Array, nodeID: Uint8Array, weight: bigint, publicKey?: Uint8Array): void {
    const before = this.member(subnetID, nodeID)
    const sum = (before?.weight ?? 0n) + weight
    const after = { subnetID, nodeID, weight: sum, publicKey: before?.publicKey ?? publicKey }
    this.write('member', before, sum === 0n ? undefined : after)
  }
}

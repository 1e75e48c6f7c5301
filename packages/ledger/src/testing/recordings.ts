import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { CheckedHex } from '@firn/codec'
import { Genesis, GenesisConfig, Networks, Upgrades } from '@firn/genesis'

/** What a node said at one moment: its answers by method. For tests only. */
export interface RecordedState {
  readonly name: string
  readonly height: number
  // biome-ignore lint/suspicious/noExplicitAny: foreign data, checked by the comparison itself
  readonly calls: readonly { readonly method: string; readonly params: any; readonly result: any }[]
}

/** A recorded chain. For tests only. */
export interface Recording {
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** Bytes of the blocks, by height. */
  readonly blocks: readonly Uint8Array[]
  readonly ids: readonly string[]
  readonly txs: readonly {
    readonly id: string
    readonly height: number
    readonly status: { readonly status: string }
    readonly rewardUTXOs?: { readonly utxos: readonly string[] } | null
  }[]
  readonly states: readonly RecordedState[]
  // biome-ignore lint/suspicious/noExplicitAny: foreign data, checked by the comparison itself
  readonly validatorsAt: readonly { readonly height: number; readonly all: any; readonly bySubnet: any }[]
}

/** The recording in `vectors/<name>.json.gz`. */
export function load(name: 'local' | 'helicon'): Recording {
  const file = new URL(`../../vectors/${name}.json.gz`, import.meta.url)
  const data = JSON.parse(gunzipSync(readFileSync(file)).toString())
  const genesis = Genesis.build(GenesisConfig.parse(data.genesis))
  const constants = Networks.of(genesis.networkID)
  const upgrades = data.upgrades === null ? constants.upgrades : Upgrades.fromJSON(data.upgrades)
  return {
    ...data,
    genesis,
    constants: { ...constants, upgrades },
    blocks: data.blocks.map((hex: string) => CheckedHex.decode(hex)),
  }
}

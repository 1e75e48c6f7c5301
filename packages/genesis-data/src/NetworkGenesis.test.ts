import { readFile } from 'node:fs/promises'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { Hex, Id, isFirnError } from '@firn/codec'
import { InitialRewards, Networks, Validation } from '@firn/genesis'
import { describe, expect, it } from 'vitest'
import * as NetworkGenesis from './NetworkGenesis.ts'

const packaged = (name: string) => readFile(new URL(`../data/${name}`, import.meta.url))

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error) => (isFirnError(error) ? error.code : String(error)),
  )

describe('NetworkGenesis.load', () => {
  it.each([
    ['mainnet', 4_402_540, '0x3e6662fdbd88bcf4c7dd82cb4699c0807f1d7315d493bc38532697e11b226276'],
    ['fuji', 7_106, '0x2e6b699298a664793bff42dae9c1af8d9c54645d8b376fd331e0b67475578e0a'],
    ['local', 4_141, '0xead4959a97aff56a3c7e3153143036183c9d18bbbe44a658b459a524e1ad74f2'],
  ])('returns the genesis of %s with the genesis id of the real network', async (name, length, hash) => {
    const genesis = await NetworkGenesis.load(name)
    expect(Hex.encode(genesis.genesisId)).toBe(hash)
    expect(genesis.bytes.length).toBe(length)
    const { ids } = Networks.of(genesis.networkId)
    expect(Id.format(genesis.avaxAssetId)).toBe(Id.format(ids?.avaxAssetId ?? new Uint8Array(32)))
  })

  it("returns the same genesis for a network id as for the network's name", async () => {
    expect(await NetworkGenesis.load(5)).toEqual(await NetworkGenesis.load('testnet'))
  })

  it.each([
    [1, 364_013_001_565_916_650n],
    [5, 364_651_610_969_869_743n],
    [12_345, 361_196_333_750_752_149n],
  ])('returns a genesis of network %i with the supply of the real network', async (networkId, supply) => {
    const { platform } = await NetworkGenesis.load(networkId)
    expect(InitialRewards.of(platform, Networks.of(networkId)).currentSupply).toBe(supply)
  })

  it('rejects a network whose genesis is not in this package', async () => {
    expect(await codeOf(NetworkGenesis.load(1337))).toBe('GENESIS_DATA_NETWORK')
    expect(await codeOf(NetworkGenesis.load('nowhere'))).toBe('CODEC_NETWORK')
  })

  it('rejects a modified, truncated or missing data file', async () => {
    const changed = async (name: string) => {
      const json = brotliDecompressSync(await packaged(name)).toString()
      return brotliCompressSync(json.replace('"startTime": 1599696000', '"startTime": 1599696001'))
    }
    expect(await codeOf(NetworkGenesis.load('fuji', { read: changed }))).toBe('GENESIS_DATA_DAMAGED')
    const cut = async (name: string) => (await packaged(name)).subarray(0, -10)
    expect(await codeOf(NetworkGenesis.load('fuji', { read: cut }))).toBe('GENESIS_DATA_DAMAGED')
    const removed = async (name: string) => packaged(`${name}.gone`)
    expect(await codeOf(NetworkGenesis.load('fuji', { read: removed }))).toBe('GENESIS_DATA_DAMAGED')
  })
})

describe('NetworkGenesis.readConfig', () => {
  it('returns configurations that pass the checks of a node', async () => {
    for (const networkId of NetworkGenesis.NETWORK_IDS) {
      const config = await NetworkGenesis.readConfig(networkId)
      Validation.assertValid(config, { networkId, now: 1_790_000_000n })
      expect(config.networkId).toBe(networkId)
    }
  })
})

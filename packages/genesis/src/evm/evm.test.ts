import { Hex, Json } from '@firn/codec'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { describe, expect, it } from 'vitest'
import * as Networks from '../Networks.ts'
import { codeOf } from '../testing/code.ts'
import { cases, type VectorCase } from '../testing/vectors.ts'
import * as Upgrades from '../Upgrades.ts'
import * as CChainGenesis from './CChainGenesis.ts'
import * as EvmGenesis from './EvmGenesis.ts'
import * as SubnetEvmGenesis from './SubnetEvmGenesis.ts'

describe('block 0 of the C-chain', () => {
  const items = [...cases('genesis', 'network'), ...cases('genesis', 'custom')]

  it.each(items.map((item) => [item.name, item] as const))(
    'builds the recorded block 0 of the C-chain on %s',
    (_name, item) => {
      const { upgrades } = Networks.of(item['networkID'])
      const block = CChainGenesis.firstBlock(EvmGenesis.parse(item['cChainGenesis']), upgrades)
      expect(Hex.encode(block.stateRoot)).toBe(item['cChain'].stateRoot)
      expect(Hex.encode(block.header)).toBe(item['cChain'].headerRLP)
      expect(Hex.encode(block.hash)).toBe(item['cChain'].blockHash)
      expect(String(block.baseFee ?? null)).toBe(item['cChain'].baseFee)
      expect(String(block.evmChainId)).toBe(item['cChain'].chainID)
    },
  )

  it('adds six fields to the header when Helicon is active', () => {
    const genesis = EvmGenesis.parse((items.at(-1) as VectorCase)['cChainGenesis'])
    const before = CChainGenesis.firstBlock(genesis, Upgrades.DEFAULT)
    const after = CChainGenesis.firstBlock(genesis, {
      ...Upgrades.DEFAULT,
      helicon: Upgrades.INITIALLY_ACTIVE,
    })
    expect(Hex.encode(after.header).endsWith('83799d4c808080808080')).toBe(true)
    expect(after.header.length).toBe(before.header.length + 6)
  })

  it('clears the lowest bit of the first byte of a storage slot on the C-chain', () => {
    const rootOf = (slot: string) => {
      const alloc = { ['11'.repeat(20)]: { balance: 0, storage: { [slot.padEnd(64, '0')]: '0x07' } } }
      const text = JSON.stringify({ config: { chainId: 43112 }, gasLimit: 1, difficulty: 0, alloc })
      return CChainGenesis.firstBlock(EvmGenesis.parse(text), Upgrades.DEFAULT).stateRoot
    }
    expect(rootOf('01')).toEqual(rootOf('00'))
    expect(rootOf('02')).not.toEqual(rootOf('00'))
  })

  it('rejects a C-chain genesis without a config', () => {
    const genesis = EvmGenesis.parse('{"gasLimit":1,"difficulty":0,"alloc":{}}')
    expect(codeOf(() => CChainGenesis.firstBlock(genesis, Upgrades.DEFAULT))).toBe('GENESIS_EVM_CONFIG')
  })
})

describe('subnet-evm', () => {
  const codes: Readonly<Record<string, string>> = {
    'variant 7': 'GENESIS_EVM_PRECOMPILE',
    'missing gasLimit': 'GENESIS_EVM_FIELD',
    'missing alloc': 'GENESIS_EVM_FIELD',
    'missing difficulty': 'GENESIS_EVM_FIELD',
    'no config': 'GENESIS_EVM_CONFIG',
    'gas limit of header and fee config differ': 'GENESIS_EVM_CONFIG',
    'admin address twice': 'GENESIS_EVM_PRECOMPILE',
    'same address admin and enabled': 'GENESIS_EVM_PRECOMPILE',
    'warp quorum below 33': 'GENESIS_EVM_PRECOMPILE',
    'warp quorum above 100': 'GENESIS_EVM_PRECOMPILE',
    'malformed JSON': 'GENESIS_JSON',
    'fee config target gas 0': 'GENESIS_EVM_FEES',
  }
  const items = cases('subnet-evm-genesis', 'subnetEvmGenesis')

  it.each(items.map((item) => [item.name, item] as const))(
    'builds the recorded block 0 or rejects the genesis, like the node: %s',
    (name, item) => {
      // The vectors are from a release that did not schedule Helicon yet.
      const upgrades = { ...Networks.of(item['networkID']).upgrades, helicon: Upgrades.UNSCHEDULED }
      const parse = () => SubnetEvmGenesis.parse(item['genesis'], upgrades)
      expect(codeOf(parse)).toBe(item['ok'] ? 'none' : codes[name])
      if (!item['ok']) return
      const block = SubnetEvmGenesis.firstBlock(parse())
      expect(Hex.encode(block.stateRoot)).toBe(item['stateRoot'])
      expect(Hex.encode(block.header)).toBe(item['headerRLP'])
      expect(Hex.encode(block.hash)).toBe(item['blockHash'])
      expect(Json.stringify(SubnetEvmGenesis.configJSON(parse()))).toBe(item['chainConfigJSON'])
    },
  )

  it('builds the recorded block 0 of an L1', () => {
    const [recorded] = cases('recording', 'recording') as [VectorCase]
    const l1 = new TextEncoder().encode(recorded['l1Genesis'])
    const block = SubnetEvmGenesis.firstBlock(SubnetEvmGenesis.parse(l1, Upgrades.DEFAULT))
    expect(Hex.encode(block.hash)).toBe(recorded['l1'].hash)
    expect(Hex.encode(block.stateRoot)).toBe(recorded['l1'].stateRoot)
  })

  const genesis = (config: object, more: object = {}) =>
    JSON.stringify({
      config: { chainId: 9, ...config },
      gasLimit: '8000000',
      difficulty: 0,
      alloc: {},
      ...more,
    })
  const load = (json: string) => SubnetEvmGenesis.parse(json, Upgrades.DEFAULT)
  const A = `0x${'11'.repeat(20)}`

  it.each([
    ['an upgrade earlier than on the network', { durangoTimestamp: 5 }, 'GENESIS_EVM_UPGRADES'],
    ['upgrades out of order', { graniteTimestamp: 300_000_000_000 }, 'GENESIS_EVM_UPGRADES'],
    ['blocks out of order', { istanbulBlock: 7 }, 'GENESIS_EVM_UPGRADES'],
    ['a delay that is too long', { initialMinDelayMS: 3000 }, 'GENESIS_EVM_CONFIG'],
    [
      'an initial mint of 0',
      { contractNativeMinterConfig: { initialMint: { [A]: 0 } } },
      'GENESIS_EVM_PRECOMPILE',
    ],
    [
      'an initial mint of null',
      { contractNativeMinterConfig: { initialMint: { [A]: null } } },
      'GENESIS_EVM_PRECOMPILE',
    ],
    ['fees with a missing field', { feeConfig: { gasLimit: 8000000 } }, 'GENESIS_EVM_FEES'],
    [
      'both kinds of rewards',
      { rewardManagerConfig: { initialRewardConfig: { allowFeeRecipients: true, rewardAddress: A } } },
      'GENESIS_EVM_PRECOMPILE',
    ],
    [
      'managers before Durango',
      { txAllowListConfig: { blockTimestamp: 0, managerAddresses: [A] } },
      'GENESIS_EVM_PRECOMPILE',
    ],
    ['a fraction', { chainId: 1.5 }, 'GENESIS_JSON'],
    ['a string instead of a number', { chainId: '9' }, 'GENESIS_JSON'],
    ['a short address', { txAllowListConfig: { adminAddresses: ['0x11'] } }, 'GENESIS_JSON'],
    ['a list instead of a config', { warpConfig: [] }, 'GENESIS_JSON'],
  ])('rejects %s', (_name, config, code) => {
    expect(codeOf(() => load(genesis(config)))).toBe(code)
  })

  it.each([
    ['a balance below 0', { alloc: { [A]: { balance: '-1' } } }, 'GENESIS_JSON'],
    ['an account without balance', { alloc: { [A]: {} } }, 'GENESIS_EVM_FIELD'],
    ['a balance of 257 bits', { alloc: { [A]: { balance: `0x1${'0'.repeat(64)}` } } }, 'GENESIS_JSON'],
    ['hex with an odd number of digits', { extraData: '0x1' }, 'GENESIS_JSON'],
    [
      'a slot of 33 bytes',
      { alloc: { [A]: { balance: 0, storage: { [`0x${'0'.repeat(66)}`]: '0x0' } } } },
      'GENESIS_JSON',
    ],
    ['a nonce of 65 bits', { nonce: '0x10000000000000000' }, 'GENESIS_JSON'],
    ['deep nesting', { extra: JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) }, 'GENESIS_JSON'],
  ])('rejects %s', (_name, more, code) => {
    expect(codeOf(() => load(genesis({}, more)))).toBe(code)
  })

  it("uses the config's initial minimum delay in block 0", () => {
    const at = { timestamp: 1_700_000_000 }
    const [usual, fast] = [genesis({}, at), genesis({ initialMinDelayMS: 1 }, at)].map((json) =>
      Hex.encode(SubnetEvmGenesis.firstBlock(load(json)).header),
    )
    expect(usual?.endsWith('83799d4c')).toBe(true)
    expect(fast?.endsWith('80')).toBe(true)
  })

  it('credits the airdrop from the file whose hash is in the genesis', () => {
    const file = new TextEncoder().encode(`[{"address":"${A}"}]`)
    const airdropHash = Hex.encode(keccak_256(file))
    const parsed = load(genesis({}, { airdropHash, airdropAmount: '0x5' }))
    const other = SubnetEvmGenesis.firstBlock(load(genesis({}, { alloc: { [A]: { balance: 5 } } })))
    expect(SubnetEvmGenesis.firstBlock(parsed, file).stateRoot).toEqual(other.stateRoot)
    expect(codeOf(() => SubnetEvmGenesis.firstBlock(parsed))).toBe('GENESIS_EVM_AIRDROP')
  })
})

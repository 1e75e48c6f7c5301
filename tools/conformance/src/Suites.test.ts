import { describe, expect, it } from 'vitest'
import type { RawCase } from './Case.ts'
import { notYetSupported, SUITES } from './Suites.ts'
import { inVector } from './suites/Genesis.ts'
import { change, leaves, readSamples } from './testing/samples.ts'

const samples = readSamples<readonly RawCase[]>('suites')
const LABELS = ['name', 'kind', 'note', 'error']

/** Fields that no check covers, with the reason. */
const UNCHECKED: Readonly<Record<string, string>> = {
  'hexchecksum.json encodingName value': 'the number of a Go constant',
  'bech32.json format parseError': 'a label',
  'bech32.json format parseToIDError': 'a label',
  'bech32.json parse parseToIDError': 'a label',
  'codec-primitive.json note types': 'words',
  'p2p.json signedIP size': 'on no wire',
  'p2p.json message bypassThrottling': 'inside the node only',
  'p2p.json appErrorConst message': 'any text goes through',
  'proposervm-blocks.json preFork proposervmParseError': 'a label',
  'avm-txs-invalid.json decode txType': 'what it was before it was changed',
  'platform-txs-invalid.json decode txType': 'what it was before it was changed',
  'platform-blocks.json decode blockType': 'what it was before it was changed',
  'platform-txs.json note otherSubnetChainID': 'only for the checks of a node with state',
  'platform-txs.json note subnetOfOtherChain': 'only for the checks of a node with state',
}

/** Input fields whose last digit does not affect the verdict. */
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  'cb58.json': ['decode cb58'],
  'codec-primitive.json': ['marshalLimit maxSize', 'unmarshalLimit maxSize', 'unmarshalLimit bytes'],
  'warp.json': [
    'payload.AddressedCall sourceAddressLength',
    'payload.AddressedCall payloadLength',
    'signedMessage quorumDen',
    'verifyWeight quorumDen',
    'verifyWeight quorumNum',
    'verifyWeight total',
    'verifyWeight signed',
  ],
  'bls.json': ['aggregateError publicKeys', 'aggregateError signatures'],
  'p2p.json': [
    'verifyIP maxTimestamp',
    'verifyIP certificate',
    'bloomParse filter',
    'sdk fields',
    'sdk bytes',
  ],
  'proposervm-blocks.json': [
    'newEpoch graniteTime',
    'newEpoch epochDurationSeconds',
    'newEpoch childTimestamp',
  ],
  'cchain-atomic-txs.json': ['extract batch', 'syntactic bytes'],
  'utxos.json': ['valid jsonNetworkID', 'decode bytes'],
  'genesis.json': ['invalid config', 'invalid configBase64', 'decode bytes'],
  'fees.json': [
    'gasPrice excess',
    'gasPrice excessConversionConstant',
    'validatorFee funds',
    'validatorFee maxSeconds',
    'rewardPrimary heliconTime',
    'rewardPrimary stakeStart',
    ...['reward', 'rewardPrimary'].flatMap((kind) =>
      [
        'minConsumptionRate',
        'mintingPeriodNanoseconds',
        'supplyCap',
        'durationNanoseconds',
        'stakedAmount',
        'currentSupply',
      ].map((field) => `${kind} ${field}`),
    ),
  ],
}

describe.each(SUITES.map((suite) => [suite.file, suite] as const))('%s', (file, suite) => {
  const cases = samples[file] ?? []

  it('passes all sample cases of the suite', () => {
    expect(cases.length).toBeGreaterThan(0)
    const outcomes = cases.map((raw) => ({ name: raw['name'], ...suite.run(raw, cases) }))
    expect(outcomes.filter(({ status }) => status === 'failed')).toEqual([])
  })

  it('detects a change in every checked field', () => {
    const seen = new Map<string, boolean>()
    for (const [index, raw] of cases.entries()) {
      for (const path of leaves(raw)) {
        const field = `${raw['kind']} ${path[0]}`
        if (LABELS.includes(String(path[0])) || seen.get(field) === true) continue
        const altered = change(raw, path) as RawCase
        seen.set(field, suite.run(altered, cases.with(index, altered)).status === 'failed')
      }
    }
    const unseen = [...seen].filter(([, isSeen]) => !isSeen).map(([field]) => field)
    const expected = unseen.filter(
      (field) => UNCHECKED[`${file} ${field}`] === undefined && !GIVEN[file]?.includes(field),
    )
    expect(expected).toEqual([])
  })

  it('rejects an unknown kind of case and a field without a check', () => {
    const [raw = {}] = cases
    expect(suite.run({ ...raw, kind: 'unheard' }, cases)).toMatchObject({ status: 'failed', where: 'kind' })
    expect(suite.run({ ...raw, unheard: 1 }, cases)).toMatchObject({ status: 'failed', where: 'unheard' })
  })
})

describe('certificate numbers', () => {
  const cases = samples['staking.json'] ?? []
  const suite = SUITES.find(({ file }) => file === 'staking.json')
  const statuses = (field: string, write: (digits: string) => string) =>
    cases.flatMap((raw) => {
      const digits = raw[field]
      if (typeof digits !== 'string') return []
      return suite?.run({ ...raw, [field]: `0x${write(digits.slice(2))}` }, cases).status ?? []
    })

  it.each(['modulus', 'x', 'y'])(
    'compares the certificate field %s as a number and ignores leading zeros',
    (field) => {
      expect(statuses(field, (digits) => `0${digits}`)).toContain('passed')
      expect(statuses(field, (digits) => `0${digits}`)).not.toContain('failed')
      expect(statuses(field, (digits) => digits.replace(/^0+/, ''))).not.toContain('failed')
      expect(statuses(field, (digits) => `${digits}0`)).not.toContain('passed')
    },
  )
})

describe('validators listed in a genesis vector', () => {
  it.each([
    [7, 7, [0, 1, 2, 3, 4, 5, 6]],
    [7, 6, [0, 1, 2, 4, 5, 6]],
    [5, 5, [0, 1, 2, 3, 4]],
    [7, 5, [0, 1, 2, 4, 5, 6]],
  ])('returns the items that a vector lists (%i validators, list of %i)', (count, listed, expected) => {
    expect(inVector([...Array(count).keys()], listed)).toEqual(expected)
  })
})

it('lists each vector file only once', () => {
  const files = [...SUITES.map(({ file }) => file), ...notYetSupported]
  expect(new Set(files).size).toBe(files.length)
})

import type { Snapshot } from '@firn/store'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { type AvaxSupply, avaxSupply, type EvmSources } from './avaxSupply.ts'
import { createFeeReader } from './l1Fees.ts'
import type { DataContext } from './network/Context.ts'
import * as Names from './network/Names.ts'

const avax = (what: string, example: string) => Schema.text(`${what}, in AVAX, as decimal text`, example)

const Incomplete = Schema.object('IncompleteSupply', 'Says which amounts are not known and count as 0', {
  reason: Schema.constant('C_CHAIN_EVM_NOT_INDEXED', 'Why the answer is incomplete'),
  message: Schema.text('What is missing, and how to complete it', 'Fees of EVM transactions are not known'),
})

const AvaxSupplyResponse = Schema.object('AvaxSupplyResponse', 'The supply of AVAX', {
  circulatingSupply: avax(
    'Unlocked part of the genesis plus rewards minus burned amounts',
    '454257251.714986502',
  ),
  totalSupply: avax('Genesis plus rewards minus burned amounts', '454257251.714986502'),
  totalPBurned: avax(
    'Burned on the P-chain by transactions, and by L1 validators as fees',
    '15039.562266619',
  ),
  totalCBurned: avax('Burned on the C-chain by EVM and atomic transactions', '4868917.656222642629429578'),
  totalXBurned: avax('Burned on the X-chain', '45577.899113621'),
  totalStaked: avax('Stake on the Primary Network', '199605247.61112'),
  totalLocked: avax('Outputs that are locked, staked or not', '36162978.3178613'),
  totalRewards: avax('Rewards that were paid', '99186786.832589385'),
  lastUpdated: Schema.text('Time of the last block of the P-chain, as ISO 8601', '2025-11-05T20:15:15.000Z'),
  genesisUnlock: avax('Part of the genesis that is no longer locked', '360000000'),
  l1ValidatorFees: avax('What L1 validators were charged', '6786.673898334'),
  incomplete: Schema.optional(Incomplete),
})

const Calculation = Schema.object('AvaxSupplyCalculation', 'How the supply of AVAX is calculated', {
  lines: Schema.list(
    Schema.object('SupplyLine', 'A term of the calculation, or the sum of earlier lines', {
      name: Schema.text('Name of the amount', 'rewards'),
      amount: avax('The amount', '99186786.832589385'),
      formula: Schema.text(
        'Names of the lines that are added and subtracted, or where the amount comes from',
        'genesis + rewards - burned',
      ),
    }),
    'Terms and sums, in the order of the calculation',
  ),
  lastUpdated: Schema.text('Time of the last block of the P-chain, as ISO 8601', '2025-11-05T20:15:15.000Z'),
  incomplete: Schema.optional(Incomplete),
})

/** `GET /v1/avax/supply` and `GET /v1/networks/{network}/supply`: the supply of AVAX, and how it is calculated. */
export function getAvaxSupply(context: DataContext, evm: EvmSources): readonly Endpoint[] {
  const { store } = context
  const readFees = createFeeReader(store, context.constants.upgrades.etna)
  const read = () => avaxSupply(context, evm, readFees)
  return [
    define({
      ...COMMON,
      path: '/v1/avax/supply',
      operationId: 'getAvaxSupply',
      summary: 'The supply of AVAX',
      pathParameters: {},
      response: AvaxSupplyResponse,
      handle: async () => {
        const { at, supply } = await read()
        return { body: { ...sumsOf(supply), ...tail(supply, at) }, height: at.P.height, time: at.P.time }
      },
    }),
    define({
      ...COMMON,
      path: '/v1/networks/{network}/supply',
      operationId: 'getSupplyCalculation',
      summary: 'How the supply of AVAX is calculated',
      pathParameters: { network: Names.network(context) },
      response: Calculation,
      handle: async () => {
        const { at, supply } = await read()
        const lines = linesOf(supply).map(([name, amount, formula]) => ({
          name,
          amount: text(amount),
          formula,
        }))
        return { body: { lines, ...tail(supply, at) }, height: at.P.height, time: at.P.time }
      },
    }),
  ]
}

const COMMON = {
  method: 'GET',
  tag: 'Primary Network',
  scope: 'data',
  units: 20,
  queryParameters: {},
} as const

type Line = readonly [name: string, amount: bigint, formula: string]

function linesOf(supply: AvaxSupply): readonly Line[] {
  const { genesis, genesisUnlock, rewards, burned, staked, locked } = supply
  const { platformFees, l1ValidatorFees, avmFees, atomicFees, evmFees = 0n } = burned
  const platform = platformFees + l1ValidatorFees
  const evm = atomicFees + evmFees
  const all = platform + avmFees + evm
  return [
    ['genesis', genesis, 'created by the genesis on the P- and X-chain'],
    ['genesisUnlock', genesisUnlock, 'genesis without the outputs that are locked after the last block'],
    [
      'rewards',
      rewards,
      'supply of the P-chain - genesis - potential rewards of current stakers - unpaid commissions',
    ],
    [
      'platformFees',
      platformFees,
      'inputs - outputs - stake - payments to L1 validators of P-chain transactions',
    ],
    ['l1ValidatorFees', l1ValidatorFees, 'charged to L1 validators'],
    ['totalPBurned', platform, 'platformFees + l1ValidatorFees'],
    ['totalXBurned', avmFees, 'inputs - outputs of X-chain transactions'],
    ['atomicFees', atomicFees, 'inputs - outputs of atomic C-chain transactions'],
    ['evmFees', evmFees, 'gas used * price of EVM transactions of the C-chain, which it burns'],
    ['totalCBurned', evm, 'atomicFees + evmFees'],
    ['burned', all, 'totalPBurned + totalXBurned + totalCBurned'],
    ['totalSupply', genesis + rewards - all, 'genesis + rewards - burned'],
    ['circulatingSupply', genesisUnlock + rewards - all, 'genesisUnlock + rewards - burned'],
    ['staked', staked, 'stake of validators and delegators of the Primary Network; part of totalSupply'],
    [
      'locked',
      locked,
      'unspent and staked outputs that are locked after the last block; part of totalSupply',
    ],
  ]
}

function sumsOf(supply: AvaxSupply) {
  const lines = new Map(linesOf(supply).map(([name, amount]) => [name, text(amount)]))
  const line = (name: string) => lines.get(name) ?? '0'
  return {
    circulatingSupply: line('circulatingSupply'),
    totalSupply: line('totalSupply'),
    totalPBurned: line('totalPBurned'),
    totalCBurned: line('totalCBurned'),
    totalXBurned: line('totalXBurned'),
    totalStaked: line('staked'),
    totalLocked: line('locked'),
    totalRewards: line('rewards'),
    genesisUnlock: line('genesisUnlock'),
    l1ValidatorFees: line('l1ValidatorFees'),
  }
}

function tail({ burned }: AvaxSupply, at: Snapshot) {
  const lastUpdated = new Date(Number(at.P.time) * 1000).toISOString()
  if (burned.evmFees !== undefined) return { lastUpdated }
  const message =
    'Fees of EVM transactions of the C-chain are not known and count as 0; index the EVM blocks of the C-chain from the first one on (--chain)'
  return { lastUpdated, incomplete: { reason: 'C_CHAIN_EVM_NOT_INDEXED', message } }
}

/** Formats an amount of wei as AVAX. */
function text(wei: bigint): string {
  const digits = (wei < 0n ? -wei : wei).toString().padStart(19, '0')
  const fraction = digits.slice(-18).replace(/0+$/, '')
  return `${wei < 0n ? '-' : ''}${digits.slice(0, -18)}${fraction && `.${fraction}`}`
}

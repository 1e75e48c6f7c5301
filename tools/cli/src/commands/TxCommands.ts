import { CHAIN_ALIASES } from '@firn/codec'
import { Command, group, option, Type } from '@firn/options'
import { CliError } from '../CliError.ts'
import * as Avax from './Avax.ts'
import * as Tx from './Tx.ts'

/** Type of a time in Unix seconds, given as a number or in ISO 8601. */
const MOMENT: Type.Type<bigint> = Type.create({
  placeholder: 'time',
  expected: 'Unix seconds or a time such as 2027-01-31T00:00:00Z',
  parse: (text) => {
    if (/^\d{1,15}$/.test(text)) return BigInt(text)
    const time = Date.parse(text)
    return Number.isFinite(time) ? BigInt(Math.floor(time / 1000)) : undefined
  },
})

/** Type of an amount of AVAX, converted to nAVAX. */
const AVAX: Type.Type<bigint> = Type.create({
  placeholder: 'AVAX',
  expected: 'an amount of AVAX such as 1.5',
  parse: Avax.parse,
})

/** Runs `work`, and converts the amounts in its errors about insufficient funds to AVAX. */
const inAvax = async (work: Promise<void>): Promise<void> => {
  try {
    await work
  } catch (error) {
    throw Avax.toAvax(error)
  }
}

const CHAIN = Type.choice(...CHAIN_ALIASES)
const text = (help: string, defaultText?: string) =>
  option(Type.text, { help, ...(defaultText !== undefined && { defaultText }) })
const big = (placeholder: string, help: string, defaultText?: string) =>
  option({ ...Type.big, placeholder }, { help, ...(defaultText !== undefined && { defaultText }) })

const KEYS = group('Keys', {
  keys: option(Type.path, {
    help: 'File with private keys, one per line; - reads them from standard input. Keys are never arguments, because other users of the machine could see them.',
  }),
})
const OUTPUT = group('Output', {
  json: option(Type.flag, { default: false, help: 'Print one JSON document, which firn tx sign can read.' }),
})
const SEND = group('Output', {
  send: option(Type.flag, {
    default: false,
    help: 'Issue the transaction at the upstream, and wait until it is accepted.',
  }),
})
const UPSTREAM = {
  upstream: option(Type.url('http', 'https'), {
    help: 'Node that provides UTXOs and prices, and that issues the transaction.',
  }),
}
const UTXOS = {
  utxos: option(Type.path, {
    help: 'File with UTXOs in hex: a list, or the response of a node; - reads standard input.',
  }),
}

const WALLET = {
  ...KEYS,
  ...group('Wallet', {
    ...UTXOS,
    from: option(Type.list(Type.text), {
      defaultText: 'the addresses of --keys',
      help: 'Addresses that sign, now or in later rounds.',
    }),
    change: text('Address that receives the change.', 'the first signer'),
    ...UPSTREAM,
    network: option(Type.network, {
      aliases: ['networkId'],
      defaultText: 'the network of the upstream, otherwise mainnet',
      help: 'mainnet, fuji, local, network-<id> or an id.',
    }),
    time: option(MOMENT, {
      defaultText: 'now',
      help: 'Current time of the chain. Outputs that are locked until later cannot be spent.',
    }),
    gasPrice: big('nAVAX', 'Price of gas on the P-chain.', 'twice the current price'),
    baseFee: big('wei', 'Base fee of the C-chain.', 'read from the upstream'),
  }),
  ...group('Custom networks', {
    avaxAsset: text('Id of the asset AVAX.'),
    xChain: text('Id of the X-chain.'),
    cChain: text('Id of the C-chain.'),
  }),
  ...OUTPUT,
  ...SEND,
}

const PAYMENTS = [
  {
    name: 'address=amount',
    help: "Recipient's address and amount of AVAX, such as P-avax1…=1.5.",
    isRepeated: true,
  },
]

export const TRANSFER = Command.create({
  description: 'Builds a transfer of AVAX on the P- or X-chain, depending on the addresses.',
  example: 'P-fuji1…=1.5 --network fuji --keys keys.txt --upstream http://127.0.0.1:9650',
  operands: PAYMENTS,
  options: WALLET,
  run: (options, { operands, terminal }) =>
    inAvax(Tx.transfer(operands, { ...options, chain: 'P' }, terminal)),
})

export const EXPORT = Command.create({
  description: 'Builds an export of AVAX from one chain to the chain of the addresses.',
  example: 'C-fuji1…=1.5 --chain P --network fuji --keys keys.txt --upstream http://127.0.0.1:9650',
  operands: PAYMENTS,
  options: {
    chain: option(CHAIN, { default: 'P', help: 'Chain that exports the funds.' }),
    ...WALLET,
    ...group('Exports of the C-chain', {
      balance: big('wei', 'Balance of the account.', 'read from the upstream'),
      nonce: big('number', 'Next nonce of the account.', 'read from the upstream'),
    }),
  },
  run: (options, { operands, terminal }) => inAvax(Tx.exportTo(operands, options, terminal)),
})

export const IMPORT = Command.create({
  description: 'Builds an import of all funds that another chain has exported.',
  example: '--source C --chain P --network fuji --keys keys.txt --upstream http://127.0.0.1:9650',
  options: {
    source: option(CHAIN, { isRequired: true, help: 'Chain that has exported the funds.' }),
    chain: option(CHAIN, { default: 'P', help: 'Chain that imports the funds.' }),
    exported: option(Type.path, { help: 'File with the exported UTXOs, in hex.' }),
    to: text('Address that receives the import; 0x… on the C-chain.', 'the first signer'),
    ...WALLET,
  },
  run: (options, { terminal }) => inAvax(Tx.importFrom(options, terminal)),
})

export const DELEGATE = Command.create({
  description: 'Builds a delegation of AVAX to a validator of the Primary Network.',
  example:
    '--node NodeID-… --amount 25 --end 2027-01-31T00:00:00Z --network fuji --keys keys.txt --upstream http://127.0.0.1:9650',
  options: {
    node: option(Type.text, { isRequired: true, help: 'NodeID of the validator.' }),
    amount: option(AVAX, { isRequired: true, help: 'Amount of AVAX to stake.' }),
    end: option(MOMENT, { isRequired: true, help: 'End of the delegation.' }),
    rewards: text('Address that receives the reward.', 'the first signer'),
    ...WALLET,
  },
  run: (options, { terminal }) => inAvax(Tx.delegate({ ...options, chain: 'P' }, terminal)),
})

export const SIGN = Command.create({
  description: 'Adds signatures to a transaction, and lists the addresses that still have to sign.',
  example: 'draft.json --keys keys.txt',
  operands: [
    {
      name: 'transaction',
      help: 'Transaction in hex, JSON of an earlier round, the name of a file with either, or - for standard input.',
    },
  ],
  options: {
    ...KEYS,
    ...group('Wallet', {
      ...UTXOS,
      chain: option(CHAIN, { default: 'P', help: 'Chain of the transaction, if it is given in hex.' }),
      ...UPSTREAM,
    }),
    ...OUTPUT,
    ...SEND,
  },
  check: ({ keys }) => {
    if (keys === undefined) throw new CliError('CLI_USAGE', '--keys <path> is missing')
  },
  run: async (options, { operands: [given = ''], terminal }) => Tx.sign(given, options, terminal),
})

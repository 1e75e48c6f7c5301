import { Id } from '@firn/codec'
import { Command, group, option, Type } from '@firn/options'
import { Signatures, Signing } from '@firn/txs'
import { createNode } from '@firn/wallet'
import { CliError } from '../../CliError.ts'
import * as Fields from './Fields.ts'
import * as Finish from './Finish.ts'
import * as Keys from './Keys.ts'
import { CHAIN, JSON_OUTPUT, KEYS, SEND, UPSTREAM, UTXOS } from './Setting.ts'
import * as Source from './Source.ts'
import * as Words from './Words.ts'

const TRANSACTION: Command.Operand = {
  name: 'transaction',
  help: 'What an earlier command, a hardware wallet or a custodian printed: hex with or without signatures, JSON, or a file with either; - for standard input.',
}

const HEX_CHAIN = {
  chain: option(CHAIN, {
    defaultText: 'the chain whose structure matches',
    help: 'Chain of the transaction, if it is given in hex.',
  }),
}

export const SIGN = Command.create({
  description:
    'Adds signatures to a transaction, and lists the addresses that still have to sign. Needs no connection.',
  example: 'draft.json --keys keys.txt',
  operands: [TRANSACTION],
  options: {
    ...KEYS,
    ...group('Wallet', { ...UTXOS, ...HEX_CHAIN, ...UPSTREAM }),
    ...group('Output', { ...JSON_OUTPUT, ...SEND }),
  },
  check: ({ keys }) => {
    if (keys === undefined) throw new CliError('CLI_USAGE', '--keys <path> is missing')
  },
  run: async (options, { operands: [given = ''], terminal }) => {
    if (options.keys === '-' && given === '-')
      throw new CliError('CLI_USAGE', 'only one of --keys and the transaction can be standard input')
    const keys = options.keys === undefined ? [] : Keys.read(options.keys)
    const draft = Source.draft(Source.transaction(given, options.chain), keys, options.utxos)
    const upstream = options.upstream === undefined ? undefined : createNode({ url: options.upstream })
    await Finish.output(Signing.sign(draft, keys), () => ({}), { options, upstream }, terminal)
  },
})

export const ISSUE = Command.create({
  description: 'Issues a signed transaction, and waits until it is accepted.',
  example: 'signed.json --upstream http://127.0.0.1:9650',
  operands: [TRANSACTION],
  options: {
    upstream: option(Type.url('http', 'https'), {
      isRequired: true,
      help: 'Node that issues the transaction.',
    }),
    ...HEX_CHAIN,
    timeout: SEND.timeout,
  },
  run: async (options, { operands: [given = ''], terminal }) => {
    const { chain, bytes, draft } = Source.transaction(given, options.chain)
    // A draft without all signatures is an error here, and not at the node.
    const signed = draft === undefined ? bytes : Signing.encode(draft)
    const node = createNode({ url: options.upstream })
    terminal.print(`txId ${await Finish.send({ chain, bytes: signed }, node, options, terminal)}`)
  },
})

export const DECODE = Command.create({
  description:
    'Says in words what a transaction does: amounts in AVAX, addresses, the fee, who has signed it, and who has not, as far as the UTXOs are known. Needs no connection.',
  example: 'draft.json',
  operands: [TRANSACTION],
  options: {
    ...HEX_CHAIN,
    ...UTXOS,
    avaxAsset: option(Fields.ID, {
      defaultText: 'the asset of the network, otherwise the one that pays the fee',
      help: 'Id of the asset AVAX.',
    }),
  },
  run: async ({ chain: given, utxos: path, avaxAsset }, { operands: [text = ''], terminal }) => {
    if (path === '-' && text === '-')
      throw new CliError('CLI_USAGE', 'only one of --utxos and the transaction can be standard input')
    const { chain, bytes, draft } = Source.transaction(text, given)
    const { unsignedTx } = Signing.split(chain, bytes)
    const avaxAssetId = avaxAsset === undefined ? undefined : Id.parse(avaxAsset)
    const expected = draft?.signers.map(({ addresses }) => addresses)
    const utxos = path === undefined ? [] : Source.utxos(chain, path)
    const signatures = Signatures.of(chain, bytes, expected === undefined ? { utxos } : { expected })
    for (const line of Words.describe({ chain, unsignedTx, draft, avaxAssetId })) terminal.print(line)
    for (const line of Words.signatures(signatures, bytes)) terminal.print(line)
  },
})

import type { ChainAlias } from '@firn/codec'
import { Command, group, option, pick, type Terminal, Type } from '@firn/options'
import type { Signing } from '@firn/txs'
import { OPERATIONS, type Payment, type Receiver, Series } from '@firn/wallet'
import { CliError } from '../../CliError.ts'
import * as Avax from './Avax.ts'
import * as Fields from './Fields.ts'
import * as Finish from './Finish.ts'
import { CHAIN, type Setting, settingOf, WALLET } from './Setting.ts'

const PAYMENTS = [
  {
    name: 'owners=amount',
    help: 'Receivers and amounts of AVAX, such as P-avax1…=1.5. With --asset-id, amounts are units of the asset.',
    isRepeated: true,
  },
]

const ASSET = {
  assetId: option(Fields.ID, {
    defaultText: 'AVAX',
    help: 'Asset to pay with. Amounts are then whole units of it.',
  }),
}

/** Parses payments, and returns them with the chain of their addresses. */
const paymentsOf = (texts: readonly string[], assetId: string | undefined, hrp: string) => {
  const payments = texts.map((text) => {
    const payment = Fields.PAYMENT.parse(text)
    const amount =
      assetId === undefined ? Avax.parse(payment?.amount ?? '0') : Fields.UNITS.parse(payment?.amount ?? '')
    if (payment === undefined || amount === undefined) {
      const example = `P-${hrp}1…=${assetId === undefined ? '1.5' : '100'}`
      throw new CliError('CLI_USAGE', `expected a payment such as ${example}, got ${text}`)
    }
    return { to: payment.to, amount, ...(assetId === undefined ? {} : { assetId }) }
  })
  const chains = [...new Set(payments.flatMap(({ to }) => chainsOf(to)))]
  const [chain] = chains
  if (chain === undefined || chains.length > 1)
    throw new CliError(
      'CLI_USAGE',
      `expected payments to addresses of one chain, got ${chains.join(' and ') || 'no payments'}`,
    )
  return { chain, payments }
}

/** Returns the chains of the addresses of a receiver. An address without a prefix is of the P-chain. */
const chainsOf = (to: Receiver): readonly ChainAlias[] =>
  (typeof to === 'string' ? [to] : to.addresses).map((address) => {
    const chain = address.includes('-') ? (address.split('-')[0] ?? '') : 'P'
    const alias = CHAIN.parse(chain)
    if (alias !== undefined) return alias
    throw new CliError('CLI_USAGE', `expected an address of the P-, X- or C-chain, got ${address}`)
  })

/** Builds a transaction, and prints or sends it. */
const run = async (setting: Setting, terminal: Terminal, build: Promise<Signing.Draft>) =>
  Finish.finish(await Avax.inWords(build, setting.context.network), () => ({}), setting, terminal)

export const TRANSFER = Command.create({
  description: 'Builds a transfer of AVAX or another asset on the P- or X-chain, depending on the addresses.',
  example: 'P-fuji1…=1.5 --keys keys.txt --upstream http://127.0.0.1:9650 --send',
  operands: PAYMENTS,
  options: {
    ...group('Transaction', {
      ...ASSET,
      lock: option(Fields.MOMENT, {
        help: 'Time before which the receivers can only stake the amounts (P-chain).',
      }),
    }),
    ...WALLET,
  },
  run: async (values, { operands, terminal }) => {
    const { lock, assetId } = values
    const setting = await settingOf(pick(WALLET, values), terminal)
    const { chain, payments } = paymentsOf(operands, assetId, setting.hrp)
    if (chain === 'C')
      throw new CliError(
        'CLI_USAGE',
        'expected addresses of the P- or X-chain, got C; on the C-chain, send an EVM transaction instead',
      )
    if (lock !== undefined && chain !== 'P')
      throw new CliError('CLI_USAGE', '--lock is only possible on the P-chain')
    const given = payments.map((payment) => (lock === undefined ? payment : { ...payment, lock }))
    await run(setting, terminal, OPERATIONS[chain].transfer.build(setting.context, given))
  },
})

const exportDraft = async (
  { context }: Setting,
  from: ChainAlias,
  { chain: to, payments }: { readonly chain: ChainAlias; readonly payments: readonly Payment[] },
): Promise<Signing.Draft> => {
  if (from === 'P' && to !== 'P') return OPERATIONS.P.exportTo.build(context, { chain: to, payments })
  if (from === 'X' && to !== 'X') return OPERATIONS.X.exportTo.build(context, { chain: to, payments })
  if (from === 'C' && to !== 'C') return OPERATIONS.C.exportTo.build(context, { chain: to, payments })
  throw new CliError('CLI_USAGE', `expected addresses of a chain other than ${from}`)
}

const MAX_TRANSACTIONS = {
  maxTransactions: option(Type.count, {
    defaultText: 'as many as needed with --send, otherwise 1',
    help: 'Most transactions to make. UTXOs that do not fit into them are left.',
  }),
}

/** Finishes the transactions of a series one after the other, and says what they left. */
const runSeries = async <C extends ChainAlias, Request extends Series.SeriesRequest>(
  series: Series.Series<C, Request>,
  request: Request,
  setting: Setting,
  terminal: Terminal,
): Promise<void> => {
  const { maxTransactions = setting.options.send ? undefined : 1 } = request
  const given = { ...request, ...(maxTransactions === undefined ? {} : { maxTransactions }) }
  const { context, options } = setting
  const finish = (draft: Signing.Draft) => Finish.finish(draft, () => ({}), setting, terminal)
  const finishAll = async () => {
    if (options.send) return Series.forEach(series, { context, request: given }, finish)
    const { drafts, left } = await Series.build(series, context, given)
    for (const draft of drafts) await finish(draft)
    return left
  }
  for (const { reason, count, amount } of await Avax.inWords(finishAll(), context.network)) {
    // Without AVAX, they are UTXOs of other assets.
    const worth = amount === 0n ? '' : ` with ${Avax.format(amount)}`
    terminal.note(`left ${count} UTXOs${worth}: ${REASONS[reason]}`)
  }
}

const REASONS: Readonly<Record<Series.Left['reason'], string>> = {
  asset:
    'the chain does not import their assets, or only for a higher fee than for AVAX; run the command again for those',
  dust: 'they are worth less than the fee for spending them',
  funds: 'there is not enough AVAX for the fee',
  limit: 'they did not fit; run the command again once the transaction is accepted',
  locked: 'they are locked',
  receiver: 'they have several owners; pass --to with the owners who receive them',
  signers: 'other owners must sign for them',
}

const importTo = async (
  setting: Setting,
  terminal: Terminal,
  chain: ChainAlias,
  request: Series.SeriesRequest & { readonly source: ChainAlias; readonly to?: string | undefined },
): Promise<void> => {
  const { source, to, ...rest } = request
  if (chain === 'C' && source !== 'C') {
    if (to !== undefined && Fields.EVM_ADDRESS.parse(to) === undefined)
      throw new CliError('CLI_USAGE', `--to: expected ${Fields.EVM_ADDRESS.expected}, got ${to}`)
    if (to === undefined && setting.context.accounts.length === 0)
      throw new CliError('CLI_USAGE', 'pass --to <0x…>, the account that receives the import')
    const given = { ...rest, chain: source, ...(to === undefined ? {} : { to }) }
    return runSeries(OPERATIONS.C.importFrom, given, setting, terminal)
  }
  const given = { ...rest, ...receiver(to) }
  if (chain === 'P' && source !== 'P')
    return runSeries(OPERATIONS.P.importFrom, { ...given, chain: source }, setting, terminal)
  if (chain === 'X' && source !== 'X')
    return runSeries(OPERATIONS.X.importFrom, { ...given, chain: source }, setting, terminal)
  throw new CliError('CLI_USAGE', `--source: expected a chain other than ${chain}`)
}

const receiver = (to: string | undefined): { readonly to?: Receiver } => {
  if (to === undefined) return {}
  const owners = Fields.RECEIVER.parse(to)
  if (owners === undefined)
    throw new CliError('CLI_USAGE', `--to: expected ${Fields.RECEIVER.expected}, got ${to}`)
  return { to: owners }
}

const ACCOUNTS = group('Exports of the C-chain', {
  account: option(Fields.EVM_ADDRESS, {
    defaultText: 'the accounts of --keys',
    help: 'Account from which to export.',
  }),
  balance: option(
    { ...Type.big, placeholder: 'wei' },
    { defaultText: 'read from the upstream', help: 'Balance of the account.' },
  ),
  nonce: option(Type.big, {
    defaultText: 'read from the upstream',
    help: 'Next nonce of the account. With it, the balance is not checked if the upstream does not know it.',
  }),
})

export const EXPORT = Command.create({
  description: 'Builds an export of AVAX or another asset from one chain to the chain of the addresses.',
  example: 'C-fuji1…=1.5 --chain P --keys keys.txt --upstream http://127.0.0.1:9650 --send',
  operands: PAYMENTS,
  options: {
    ...group('Transaction', {
      chain: option(CHAIN, { default: 'P', help: 'Chain that exports the funds.' }),
      ...ASSET,
    }),
    ...WALLET,
    ...ACCOUNTS,
  },
  run: async (values, { operands, terminal }) => {
    const { chain, assetId } = values
    // Accounts sign exports of the C-chain only.
    const accounts = chain === 'C' ? pick(ACCOUNTS, values) : {}
    const setting = await settingOf({ ...pick(WALLET, values), ...accounts }, terminal)
    const { chain: to, payments } = paymentsOf(operands, assetId, setting.hrp)
    if (chain === 'C' && setting.context.accounts.length === 0)
      throw new CliError('CLI_USAGE', 'pass --keys <file> or --account <0x…>, the account to export from')
    if (chain === 'C' && assetId !== undefined)
      throw new CliError('CLI_USAGE', '--asset-id: the C-chain exports only AVAX')
    await run(setting, terminal, exportDraft(setting, chain, { chain: to, payments }))
  },
})

export const IMPORT = Command.create({
  description:
    'Builds imports of the funds that another chain has exported, the most valuable ones first, without those that are worth less than their fee.',
  example: '--source C --chain P --keys keys.txt --upstream http://127.0.0.1:9650 --send',
  options: {
    ...group('Transaction', {
      source: option(CHAIN, { isRequired: true, help: 'Chain that has exported the funds.' }),
      chain: option(CHAIN, { default: 'P', help: 'Chain that imports the funds.' }),
      exported: option(Type.path, { help: 'File with the exported UTXOs, in hex.' }),
      to: option(Type.text, {
        defaultText: 'the first signer',
        help: 'Owners who receive the import; an account 0x… on the C-chain.',
      }),
      ...MAX_TRANSACTIONS,
    }),
    ...WALLET,
  },
  run: async (values, { terminal }) => {
    const { source, chain, to, exported, maxTransactions } = values
    const setting = await settingOf({ ...pick(WALLET, values), exported }, terminal)
    await importTo(setting, terminal, chain, {
      source,
      to,
      ...(maxTransactions === undefined ? {} : { maxTransactions }),
    })
  },
})

export const CONSOLIDATE = Command.create({
  description:
    'Merges many UTXOs of AVAX or another asset into few, the least valuable ones first, without those that are worth less than their fee.',
  example: '--chain P --keys keys.txt --upstream http://127.0.0.1:9650 --send',
  options: {
    ...group('Transaction', {
      chain: option(CHAIN, { default: 'P', help: 'Chain of the UTXOs: P or X.' }),
      assetId: option(Fields.ID, { defaultText: 'AVAX', help: 'Asset of the UTXOs.' }),
      to: option(Type.text, { defaultText: 'the first signer', help: 'Owners who receive the amount.' }),
      ...MAX_TRANSACTIONS,
    }),
    ...WALLET,
  },
  run: async (values, { terminal }) => {
    const { chain, assetId, to, maxTransactions } = values
    const setting = await settingOf(pick(WALLET, values), terminal)
    if (chain === 'C')
      throw new CliError(
        'CLI_USAGE',
        '--chain: expected P or X, got C, whose accounts have balances, not UTXOs',
      )
    const request = {
      ...(assetId === undefined ? {} : { assetId }),
      ...receiver(to),
      ...(maxTransactions === undefined ? {} : { maxTransactions }),
    }
    if (chain === 'P') await runSeries(OPERATIONS.P.consolidate, request, setting, terminal)
    else await runSeries(OPERATIONS.X.consolidate, request, setting, terminal)
  },
})

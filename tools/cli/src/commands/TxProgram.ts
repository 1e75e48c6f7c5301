import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Terminal } from '../Terminal.ts'
import type * as Tx from './Tx.ts'

const integer = (text: string): bigint => {
  if (/^\d{1,40}$/.test(text)) return BigInt(text)
  throw new InvalidArgumentError('Expected a whole number.')
}

/** Unix seconds of such a number or of an ISO 8601 time. */
const moment = (text: string): bigint => {
  if (/^\d{1,15}$/.test(text)) return BigInt(text)
  const time = Date.parse(text)
  if (Number.isFinite(time)) return BigInt(Math.floor(time / 1000))
  throw new InvalidArgumentError('Expected Unix seconds or a time such as 2027-01-31T00:00:00Z.')
}

const chain = (flags: string, description: string) => new Option(flags, description).choices(['P', 'X', 'C'])

const withKeys = (command: Command): Command =>
  command
    .option('--keys <file>', 'private keys, one a line; - for standard input. They are never arguments')
    .option('--utxos <file>', 'UTXOs in hex: a list, or the answer of a node')
    .option('--json', 'print one JSON document, as `firn tx sign` reads it')

const withWallet = (command: Command): Command =>
  withKeys(command)
    .option('--upstream <url>', 'node that gives UTXOs and prices, such as http://127.0.0.1:9650')
    .option('--network <name>', "mainnet, fuji, local or a number (default: the upstream's, else mainnet)")
    .option('--from <address...>', 'who signs, now or in later rounds (default: the addresses of --keys)')
    .option('--change <address>', 'who gets change (default: the first signer)')
    .option('--time <moment>', "chain's time, by which locks are judged (default: now)", moment)
    .option('--gas-price <nAVAX>', 'price of gas on the P-chain (default: twice that of now)', integer)
    .option('--base-fee <wei>', 'base fee of the C-chain', integer)
    .option('--avax-asset <id>', 'asset of AVAX, on a network of your own')
    .option('--x-chain <id>', 'the X-chain, on a network of your own')
    .option('--c-chain <id>', 'the C-chain, on a network of your own')

const PAYMENT = 'address=amount of AVAX, such as P-avax1…=1.5'

/** Adds `firn tx` and its subcommands. */
export const add = (program: Command, terminal: Terminal): void => {
  const tx = program
    .command('tx')
    .description('build and sign transactions, offline or with a node; prints hex and JSON')
  const load = () => import('./Tx.ts')
  withWallet(tx.command('transfer'))
    .description('move AVAX on the P- or X-chain, whichever the addresses name')
    .argument('<payments...>', PAYMENT)
    .action(async (texts: readonly string[], options: Tx.Options) =>
      (await load()).transfer(texts, options, terminal),
    )
  withWallet(tx.command('export'))
    .description('move AVAX from a chain to where the chain of the addresses can import it')
    .argument('<payments...>', PAYMENT)
    .addOption(chain('--chain <alias>', 'chain that exports').default('P'))
    .option('--balance <wei>', 'balance of the account, for exports of the C-chain', integer)
    .option('--nonce <n>', 'next nonce of the account, for exports of the C-chain', integer)
    .action(async (texts: readonly string[], options: Tx.Options) =>
      (await load()).exportTo(texts, options, terminal),
    )
  withWallet(tx.command('import'))
    .description('take all that another chain has exported')
    .addOption(chain('--chain <alias>', 'chain that imports').default('P'))
    .addOption(chain('--source <alias>', 'chain that has exported').makeOptionMandatory())
    .option('--exported <file>', 'UTXOs that the source has exported, in hex')
    .option('--to <address>', 'who gets it; 0x… on the C-chain (default: the first signer)')
    .action(async (options: Parameters<typeof Tx.importFrom>[0]) =>
      (await load()).importFrom(options, terminal),
    )
  addDelegate(tx, terminal, load)
  addSign(tx, terminal, load)
}

const addDelegate = (tx: Command, terminal: Terminal, load: () => Promise<typeof Tx>): void => {
  withWallet(tx.command('delegate'))
    .description('delegate AVAX to a validator of the Primary Network')
    .requiredOption('--node <NodeID>', 'the validator')
    .requiredOption('--amount <AVAX>', 'what is staked')
    .requiredOption('--end <moment>', 'when it ends', moment)
    .option('--rewards <address>', 'who gets the reward (default: the first signer)')
    .action(async (options: Omit<Tx.DelegateOptions, 'amount'> & { readonly amount: string }) => {
      const { amount, delegate } = await load()
      await delegate({ ...options, amount: amount(options.amount) }, terminal)
    })
}

const addSign = (tx: Command, terminal: Terminal, load: () => Promise<typeof Tx>): void => {
  withKeys(tx.command('sign'))
    .description('add signatures to a transaction; who has still to sign is told')
    .argument('<transaction>', 'hex, the JSON of an earlier round, the name of a file with either, or -')
    .addOption(chain('--chain <alias>', 'chain of a transaction in hex').default('P'))
    .action(async (given: string, options: Tx.Options) => (await load()).sign(given, options, terminal))
}

import { Command, option, type Terminal, Type, type Values } from '@firn/options'
import * as AggregatorClient from '../AggregatorClient.ts'
import { CliError } from '../CliError.ts'
import * as Input from '../Input.ts'
import * as SigningMeter from '../SigningMeter.ts'

/** Time that is enough for validators to accept a block that a node has. */
const JUST_SENT_MS = 10_000

const OPTIONS = {
  aggregator: option(Type.url('http', 'https'), {
    default: 'http://127.0.0.1:8080',
    help: 'URL of the signature aggregator.',
  }),
  network: option(
    { ...Type.text, placeholder: 'network' },
    {
      defaultText: 'the network of the message',
      help: 'mainnet, fuji, testnet, local, network-<id>, an id, or the alias of the aggregator.',
    },
  ),
  sourceChain: option(Type.text, {
    help: 'Id of a source chain. All messages of --transaction or --block are signed; needs --network, and a chain that the aggregator has in --chain-rpc.',
  }),
  transaction: option(
    { ...Type.text, placeholder: 'hash' },
    { help: 'Hash of a transaction on the source chain.' },
  ),
  block: option(Type.big, { help: 'Number of a block on the source chain, instead of a transaction.' }),
  justification: option(
    { ...Type.text, placeholder: 'hex' },
    { help: 'Justification in hex, which P-chain validators require for some messages.' },
  ),
  quorum: option(Type.integer(1, 100, 'percent'), {
    defaultText: '67',
    help: 'Percentage of the weight that must sign.',
  }),
  buffer: option(Type.integer(0, 100, 'percent'), {
    defaultText: '0',
    help: 'Percentage of the weight to collect beyond the quorum.',
  }),
  height: option(Type.big, {
    defaultText: 'the proposed height',
    help: 'P-chain height of the validator set.',
  }),
  subnet: option(Type.text, {
    defaultText: "the subnet of the message's source chain",
    help: 'Id of the signing subnet.',
  }),
  wait: option(Type.duration(), {
    defaultText: `${JUST_SENT_MS / 1_000}s for --transaction and --block; otherwise up to 3s, as the aggregator decides`,
    help: 'Time to wait for validators that do not know the message yet. Pass more for a message that was just sent.',
  }),
  apiKey: option(Type.text, {
    isSecret: true,
    environment: ['FIRN_API_KEY'],
    help: 'API key to send. The environment variable does not appear in the list of processes.',
  }),
  json: option(Type.flag, {
    default: false,
    help: 'Print the whole response with report and proof bundle, which firn verify --bundle can read.',
  }),
}

const printReport = (error: unknown, terminal: Terminal): void => {
  if (!(error instanceof CliError) || error.details['report'] === undefined) return
  const report = error.details['report'] as AggregatorClient.Report
  for (const line of AggregatorClient.formatReport(report)) terminal.note(line)
}

const printResults = (results: readonly AggregatorClient.Result[], terminal: Terminal): number => {
  for (const { messageId = 'a message', signedMessage, message } of results) {
    if (signedMessage === undefined) terminal.note(`${messageId} is not signed: ${message}`)
    else terminal.print(`0x${signedMessage}`)
  }
  return results.every(({ signedMessage }) => signedMessage !== undefined) ? 0 : 1
}

/** Has the messages of a transaction or block signed, and returns the exit status. */
const aggregateSource = async (
  chain: string,
  { aggregator: url, json, transaction, block, wait = JUST_SENT_MS, ...rest }: Values<typeof OPTIONS>,
  terminal: Terminal,
): Promise<number> => {
  const source = { chain, transaction, block }
  const request = { ...rest, url, wait, source, signal: terminal.signal }
  const { results, text } = await SigningMeter.during(terminal, `waiting for ${url}`, (onProgress) =>
    AggregatorClient.aggregateAll({ ...request, onProgress }, json),
  )
  if (json) terminal.print(text)
  return json ? 0 : printResults(results, terminal)
}

const aggregate = async (
  given: string,
  { aggregator: url, json, ...rest }: Values<typeof OPTIONS>,
  terminal: Terminal,
): Promise<void> => {
  const request = { ...rest, url, message: Input.text(given), signal: terminal.signal }
  try {
    const answer = await SigningMeter.during(terminal, `waiting for ${url}`, (onProgress) =>
      AggregatorClient.aggregate({ ...request, onProgress }),
    )
    if (json) return terminal.print(answer.text)
    if (answer.report) for (const line of AggregatorClient.formatReport(answer.report)) terminal.note(line)
    terminal.print(`0x${answer.signedMessage.replace(/^0x/, '')}`)
  } catch (error) {
    printReport(error, terminal)
    throw error
  }
}

export const COMMAND = Command.create({
  description:
    'Requests signatures for a message, or for all messages of a transaction or block, from an aggregator, and prints the signed messages. A terminal shows a progress bar.',
  example: 'message.hex --quorum 67',
  operands: [
    {
      name: 'message',
      help: 'Unsigned Warp message or event data in hex, the name of a file that contains it, or - for standard input. Omit it with --source-chain.',
      isOptional: true,
    },
  ],
  options: OPTIONS,
  check: ({ sourceChain, transaction, block }) => {
    const places = [transaction, block].filter((place) => place !== undefined).length
    if (places !== (sourceChain === undefined ? 0 : 1))
      throw new CliError('CLI_USAGE', 'pass --source-chain together with either --transaction or --block')
  },
  run: async (options, { operands: [given], terminal }) => {
    if ((given === undefined) === (options.sourceChain === undefined))
      throw new CliError('CLI_USAGE', 'pass either a message or --source-chain')
    if (options.sourceChain !== undefined) return aggregateSource(options.sourceChain, options, terminal)
    return aggregate(given ?? '', options, terminal)
  },
})

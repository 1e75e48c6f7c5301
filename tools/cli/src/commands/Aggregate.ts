import { Command, option, type Terminal, Type, type Values } from '@firn/options'
import * as AggregatorClient from '../AggregatorClient.ts'
import { CliError } from '../CliError.ts'
import * as Input from '../Input.ts'
import * as SigningMeter from '../SigningMeter.ts'

const OPTIONS = {
  aggregator: option(Type.url('http', 'https'), {
    default: 'http://127.0.0.1:8080',
    help: 'URL of the signature aggregator.',
  }),
  network: option(
    { ...Type.text, placeholder: 'mainnet|fuji|local' },
    {
      defaultText: 'the network of the message',
      help: 'Name of the network.',
    },
  ),
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
  description: 'Requests signatures for a message from an aggregator, and prints the signed message.',
  example: 'message.hex --quorum 67',
  operands: [
    {
      name: 'message',
      help: 'Unsigned Warp message or event data in hex, the name of a file that contains it, or - for standard input.',
    },
  ],
  options: OPTIONS,
  run: (options, { operands: [given = ''], terminal }) => aggregate(given, options, terminal),
})

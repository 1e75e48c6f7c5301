import { Command, option, type Terminal, Type, type Values } from '@firn/options'
import * as AggregatorClient from '../AggregatorClient.ts'
import { CliError } from '../CliError.ts'
import * as Input from '../Input.ts'
import * as Progress from '../Progress.ts'

const OPTIONS = {
  aggregator: option(Type.url('http', 'https'), {
    default: 'http://127.0.0.1:8080',
    help: 'The signature aggregator.',
  }),
  network: option(
    { ...Type.text, placeholder: 'mainnet|fuji|local' },
    {
      defaultText: 'that of the message',
      help: 'Network of the message.',
    },
  ),
  justification: option(
    { ...Type.text, placeholder: 'hex' },
    { help: 'Evidence that P-chain validators require.' },
  ),
  quorum: option(Type.integer(1, 100, 'percent'), { defaultText: '67', help: 'Weight that must sign.' }),
  buffer: option(Type.integer(0, 100, 'percent'), {
    defaultText: '0',
    help: 'Target weight beyond the quorum.',
  }),
  height: option(Type.big, {
    defaultText: 'the proposed height',
    help: 'P-chain height of the validator set.',
  }),
  subnet: option(Type.text, {
    defaultText: "that of the message's source chain",
    help: 'Id of the signing subnet.',
  }),
  apiKey: option(Type.text, {
    isSecret: true,
    environment: ['FIRN_API_KEY'],
    help: 'API key to send. The variable keeps it out of the list of processes.',
  }),
  json: option(Type.flag, {
    default: false,
    help: 'Print the whole answer with report and proof bundle, as firn verify --bundle reads it.',
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
    const answer = await Progress.during(terminal, `waiting for ${url}`, () =>
      AggregatorClient.aggregate(request),
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
  description: 'Has an aggregator collect signatures for a message, and prints the signed message.',
  example: 'message.hex --quorum 67',
  operands: [
    {
      name: 'message',
      help: 'Unsigned Warp message or event data in hex, the name of a file with it, or - for standard input.',
    },
  ],
  options: OPTIONS,
  run: (options, { operands: [given = ''], terminal }) => aggregate(given, options, terminal),
})

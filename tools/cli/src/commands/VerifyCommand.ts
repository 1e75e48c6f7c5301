import { Id } from '@firn/codec'
import { Command, option, Type, type Values } from '@firn/options'
import { Quorum, SignedMessage } from '@firn/warp'
import { CliError } from '../CliError.ts'
import * as Input from '../Input.ts'
import * as Verify from './Verify.ts'

const OPTIONS = {
  bundle: option(Type.path, {
    help: 'File with a proof bundle, which contains the validator set. No request is sent.',
  }),
  upstream: option(Type.url('http', 'https'), { help: 'Node API that provides the validator set.' }),
  quorum: option(Type.integer(0, 100, 'percent'), {
    default: 67,
    help: 'Percentage of the weight that must have signed.',
  }),
  height: option(Type.big, {
    defaultText: 'the proposed height',
    help: 'P-chain height of the validator set, with --upstream.',
  }),
  subnet: option(Type.text, {
    defaultText: "the subnet of the message's source chain",
    help: 'Id of the signing subnet, with --upstream.',
  }),
}

const against = (
  { bundle, upstream, height, subnet }: Values<typeof OPTIONS>,
  message: SignedMessage.SignedMessage,
  signal: AbortSignal,
): Verify.Against | Promise<Verify.Against> => {
  if (bundle !== undefined) return Verify.fromBundle(bundle)
  return Verify.fromUpstream(upstream ?? '', message, {
    signal,
    ...(height === undefined ? {} : { height }),
    ...(subnet === undefined ? {} : { subnetId: Id.parse(subnet) }),
  })
}

export const COMMAND = Command.create({
  description:
    'Verifies a signed message: prints which validators signed, and whether their weight suffices.',
  example: 'answer.json --upstream http://127.0.0.1:9650',
  operands: [
    {
      name: 'signedMessage',
      help: "Hex, an aggregator's response, the name of a file with either, or - for standard input.",
    },
  ],
  options: OPTIONS,
  check: ({ bundle, upstream }) => {
    if ((bundle === undefined) === (upstream === undefined))
      throw new CliError(
        'CLI_USAGE',
        'pass either --bundle <path> or --upstream <url> to provide the validator set',
      )
  },
  run: async (options, { operands: [given = ''], terminal }) => {
    const message = SignedMessage.decode(Input.signedMessage(given))
    const set = await against(options, message, terminal.signal)
    const verdict = Verify.verify(message, set, Quorum.percent(options.quorum))
    for (const line of Verify.format(verdict)) terminal.print(line)
    if (!verdict.result.ok)
      throw new CliError('CLI_NOT_VALID', `the message is not valid: ${verdict.result.reason}`)
  },
})

import { Id } from '@firn/codec'
import { Command, option, Type, type Values } from '@firn/options'
import { Quorum, SignedMessage } from '@firn/warp'
import { CliError } from '../CliError.ts'
import * as Input from '../Input.ts'
import * as Verify from './Verify.ts'

const OPTIONS = {
  bundle: option(Type.path, { help: 'Proof bundle with the validator set; no request is made.' }),
  upstream: option(Type.url('http', 'https'), { help: 'Node API that gives the validator set.' }),
  quorum: option(Type.integer(0, 100, 'percent'), { default: 67, help: 'Weight that must have signed.' }),
  height: option(Type.big, {
    defaultText: 'the proposed height',
    help: 'P-chain height of the validator set, with --upstream.',
  }),
  subnet: option(Type.text, {
    defaultText: "that of the message's source chain",
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
  description: 'Verifies a signed message: shows which validators signed, and whether their weight suffices.',
  example: 'answer.json --upstream http://127.0.0.1:9650',
  operands: [
    {
      name: 'signedMessage',
      help: "Hex, an aggregator's answer, the name of a file that holds either, or - for standard input.",
    },
  ],
  options: OPTIONS,
  check: ({ bundle, upstream }) => {
    if ((bundle === undefined) === (upstream === undefined))
      throw new CliError(
        'CLI_USAGE',
        'pass one of --bundle <path> and --upstream <url> to provide the validator set',
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

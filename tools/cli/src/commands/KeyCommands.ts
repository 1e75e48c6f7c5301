import { Address, CHAIN_ALIASES, Hex, isFirnError, Network } from '@firn/codec'
import { EvmAddress, PrivateKey, PublicKey } from '@firn/keys'
import { Command, option, type Terminal, Type } from '@firn/options'
import { CliError } from '../CliError.ts'
import * as Input from '../Input.ts'

const NETWORK = {
  network: option(Type.network, {
    default: Network.MAINNET,
    aliases: ['networkId'],
    help: 'Network of the addresses: mainnet, fuji, local, network-<id> or an id.',
  }),
}

const KEY_OPERAND: Command.Operand = {
  name: 'file',
  help: 'File with private keys, one per line. Without it, or with -, they are read from standard input. Never pass a key itself: other users of the machine can see arguments, and the shell stores them.',
  isOptional: true,
}

/**
 * Parses a private key, given as `PrivateKey-…` or 64 hex digits. Errors never contain the text; `place`
 * names the key in them.
 * @throws CliError `CLI_INPUT`
 */
export const parseKey = (text: string, place: string): Uint8Array => {
  try {
    return text.startsWith(PrivateKey.PREFIX)
      ? PrivateKey.parse(text)
      : PrivateKey.decode(Hex.decodeAny(text))
  } catch (error) {
    if (!isFirnError(error)) throw error
    const reason = text.startsWith(PrivateKey.PREFIX)
      ? error.message
      : `expected ${PrivateKey.PREFIX}… or 64 hex digits`
    throw new CliError('CLI_INPUT', `${place}: ${reason}`)
  }
}

/**
 * Returns the lines of a file with private keys, or of standard input for `-`.
 * @throws CliError `CLI_INPUT`
 */
const readLines = (path: string): string[] => {
  // A key that was passed instead of a file name would otherwise appear in the error.
  if (path.startsWith(PrivateKey.PREFIX) || /^(0x)?[0-9a-fA-F]{64}$/.test(path)) {
    throw new CliError(
      'CLI_USAGE',
      'a private key was passed as an argument, where other users can see it; write it to a file, or pass - and send it to standard input',
    )
  }
  return (path === '-' ? Input.text(path) : Input.file(path)).split(/\s+/)
}

const printKey = (key: Uint8Array, terminal: Terminal): void => {
  terminal.print(`private key      ${PrivateKey.format(key)}`)
  terminal.print(`                 ${Hex.encode(key)}`)
}

const printAddresses = (key: Uint8Array, network: number, terminal: Terminal): void => {
  const publicKey = PrivateKey.publicKey(key)
  const payload = PublicKey.address(publicKey)
  for (const chain of CHAIN_ALIASES) {
    const address = Address.format({ chain, hrp: Network.hrp(network), payload })
    terminal.print(`${chain}-chain          ${address}`)
  }
  terminal.print(`EVM              ${EvmAddress.format(PublicKey.evmAddress(publicKey))}`)
}

export const NEW = Command.create({
  description:
    'Creates a secp256k1 private key, and prints it as PrivateKey-… and in hex, with its addresses. The key is not stored.',
  example: '--network fuji',
  options: NETWORK,
  run: async ({ network }, { terminal }) => {
    const key = PrivateKey.random()
    printKey(key, terminal)
    printAddresses(key, network, terminal)
    terminal.note('The key is shown only once and is not stored. Anyone who has it controls its funds.')
  },
})

export const ADDRESS = Command.create({
  description: 'Prints the addresses of private keys on the P-, X- and C-chain, and in the EVM.',
  example: 'keys.txt --network fuji',
  operands: [KEY_OPERAND],
  options: NETWORK,
  run: async ({ network }, { operands: [path = '-'], terminal }) => {
    const keys = readLines(path).map((line, index) => parseKey(line, `key ${index + 1}`))
    for (const key of keys) printAddresses(key, network, terminal)
  },
})

export const CONVERT = Command.create({
  description: 'Converts private keys: PrivateKey-… to hex, and hex to PrivateKey-….',
  example: 'keys.txt',
  operands: [KEY_OPERAND],
  options: {
    to: option(Type.choice('cb58', 'hex'), {
      defaultText: 'the other format',
      help: 'Format to print.',
    }),
  },
  run: async ({ to }, { operands: [path = '-'], terminal }) => {
    for (const [index, line] of readLines(path).entries()) {
      const key = parseKey(line, `key ${index + 1}`)
      const form = to ?? (line.startsWith(PrivateKey.PREFIX) ? 'hex' : 'cb58')
      terminal.print(form === 'hex' ? Hex.encode(key) : PrivateKey.format(key))
    }
  },
})

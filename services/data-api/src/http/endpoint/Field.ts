import * as Schema from './Schema.ts'

/** Id that the examples show for a transaction, an output, a subnet and so on. */
const CB58 = '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM'
const HASH = '0x8ee3a0bfb6ff2ce0e39d6f5f4a3bd0fdd4d0a46f1b5b3d3b1f7a2b5e7d1c9a34'
const ADDRESS = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'

/** Returns the schema of a time. Its unit is seconds since 1970. */
export function seconds(what: string, example = 1_795_219_200): Schema.Schema {
  return Schema.integer(`${what}, in Unix seconds`, example)
}

/** Returns the schema of a block number, which is decimal text. */
export function height(what: string, example = '16776960'): Schema.Schema {
  return Schema.text(`${what}, as decimal text`, example)
}

/** Returns the schema of a 32-byte id in CB58. */
export function cb58(what: string, example = CB58): Schema.Schema {
  return Schema.text(`${what}, in CB58`, example)
}

/** Returns the schema of 32 bytes in hexadecimal. */
export function hash(what: string): Schema.Schema {
  return Schema.text(`${what}, 0x and 64 hexadecimal digits`, HASH)
}

/** Returns the schema of bytes in hexadecimal. */
export function hex(what: string, example = '0x48656c6c6f'): Schema.Schema {
  return Schema.text(`${what}, in hexadecimal with 0x`, example)
}

/** Returns the schema of an EVM address. */
export function evmAddress(what: string, example = ADDRESS): Schema.Schema {
  return Schema.text(`${what}, in hexadecimal with the ERC-55 checksum`, example)
}

/** Returns the schema of a list of P-, X- or C-chain addresses. */
export function addresses(what: string): Schema.Schema {
  const address = Schema.text(
    'Address in bech32, without a chain prefix',
    'avax1qm2a25eytsrj235hq2vcp4xfqjxpqsrlr2ucqp',
  )
  return Schema.list(address, `${what}, in bech32 without a chain prefix`)
}

/** Returns the schema of a node id. */
export function nodeId(what: string): Schema.Schema {
  return Schema.text(`${what}, as NodeID-…`, 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
}

/** Returns the schema of an amount in nAVAX, which is decimal text. 10⁹ nAVAX are 1 AVAX. */
export function nAvax(what: string, example = '2000000000000'): Schema.Schema {
  return Schema.text(`${what}, in nAVAX, as decimal text`, example)
}

/** Returns the schema of an amount in the smallest unit of an asset or a token, which is decimal text. */
export function units(what: string, example = '1500000'): Schema.Schema {
  return Schema.text(`${what}, in the smallest unit, as decimal text`, example)
}

/** Returns the schema of an amount in wei, which is decimal text. 10¹⁸ wei are one coin. */
export function wei(what: string, example = '25000000000'): Schema.Schema {
  return Schema.text(`${what}, in wei, as decimal text`, example)
}

/** Returns the schema of an amount of gas, which is decimal text. */
export function gas(what: string, example = '21000'): Schema.Schema {
  return Schema.text(`${what}, in units of gas, as decimal text`, example)
}

/** Returns the schema of a count. */
export function count(what: string, example = 3): Schema.Schema {
  return Schema.integer(what, example)
}

/** Returns the schema of a percentage. */
export function percent(what: string, example = 12.5): Schema.Schema {
  return Schema.number(`${what}, in percent`, example)
}

import { binaryByteas, isByteas } from '../arrays.ts'

/**
 * Returns a parameter for the driver of PostgreSQL. Arrays of bytes are encoded in the binary format, which both sides read
 * and write faster than the driver's text. The driver sends buffers in the binary format.
 */
export function toParameter(value: unknown): unknown {
  return isByteas(value) ? binaryByteas(value) : value
}

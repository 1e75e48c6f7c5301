import { getSystemErrorMessage } from 'node:util'
import { methodError } from '@firn/rpc'

/** Returns an error of the file system as the error of a method, in the words of Go: `open /a/b: permission denied`. Others stay. */
export function goOsError(error: unknown, operation: string, path: string): unknown {
  const { errno } = error as NodeJS.ErrnoException
  if (errno === undefined) return error
  return methodError(`${operation} ${path}: ${getSystemErrorMessage(errno)}`)
}

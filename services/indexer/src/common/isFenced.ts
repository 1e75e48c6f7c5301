import { isFirnError } from '@firn/codec'

/** Returns whether an error means that another process now writes, so that work in the background is over. */
export const isFenced = (error: unknown): boolean => isFirnError(error) && error.code === 'STORE_FENCED'

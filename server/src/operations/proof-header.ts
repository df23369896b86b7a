/** Header with the proof that a request comes from an administrator of this machine. */
export const proofHeader = 'x-doctor-proof';

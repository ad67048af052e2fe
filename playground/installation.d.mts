export const PLAYGROUND: string;
export const INSTALLATION: string;
export const INSTALLED_NODE: string;
export const N8N_BIN: string;
export const N8N_VERSION: string;
export const NODE_VERSION: string;

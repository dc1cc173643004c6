/** Environment variable in which the launcher names the user-level folder to the programs that it starts. */
export const stateFolderVariable = 'HOLDPOINT_STATE_FOLDER';

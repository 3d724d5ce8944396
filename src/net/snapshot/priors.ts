// What models start with, one character each: the position of the character in DIGITS is the number of a level, or a length. Counted
// in runs of the cubes' scene with other scripts than that of the recording, with baselines 2 to 13 frames back.
export const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Probabilities of a 1, in 65536ths: evenly spaced in the logarithm of their odds. */
export const LEVELS: readonly number[] = [
  128, 156, 190, 231, 281, 343, 417, 508, 618, 752, 915, 1111, 1350, 1638, 1986, 2405, 2908, 3511, 4230, 5085,
  6095, 7282, 8666, 10266, 12100, 14176, 16500, 19062, 21845, 24818, 27936, 31147, 34389, 37600, 40718, 43691,
  46474, 49036, 51360, 53436, 55270, 56870, 58254, 59441, 60451, 61306, 62025, 62628, 63131, 63550, 63898,
  64186, 64425, 64621, 64784, 64918, 65028, 65119, 65193, 65255, 65305, 65346, 65380, 65408,
];

/** "A block changed" and "a row changed". */
export const ROW_LEVELS = "FOZayyQePOSdaazxyZdp";
/** "A boolean changed". */
export const BOOLEAN_LEVELS = "aUfbbf";
/** "The largest component of a quaternion is another one", and which. */
export const LARGEST_LEVELS = "UVdciYneYddddddd";

/** Residuals of numbers: by the size of the move, by what was seen in the row, by length. And the expected length. */
export const RESIDUAL_LEVELS =
  "dnoljgdaVYVfffffRckifdcPfffffffffhhggfcXRffffffffdccgebYKfffffffgdeeffcZWOffffffigghefcbXbQfffff" +
  "nefiifgcVSffffffqdYheYeXffffffffndbedfoYRfffffffmecfdcdYTfffffffldafiebZYWfffffficbeddddXPffffff" +
  "ijdhigfdXOffffffiibdccuZWfffffffkkbeefnXOffffffflkdZdcdaPfffffffljedcdbZVWffffffheefeeddWTZfffff" +
  "iegdgggeXJfffffffcfbdapXVfffffffihhadepZPZffffffjjjcccfaTWffffffjhheedcbXPffffffghffedfeYRVfffff" +
  "hccebeeeYNZffffffYWedZkYSfffffffhddeZenYGfffffffihhhZbeYIfffffffjghhfdcaXTZfffffiffgeeffYJZfffff" +
  "gaabdZefYQTfffffffqrgbiVTfffffffgYYedemYJZffffffjgfffddYSSffffffkhghgZaZXLffffffkggggeffZQPfffff" +
  "gXZaadeeYPRfffffgetugdkVPffffffffUVdfinYKVffffffiggedeeXTOffffffjhggffbZXHffffffkhgfgfdaZVHfffff" +
  "gWXZaeieYQNfffffgdqxifmYLeffffffgURafktYFWffffffheeebejZQOffffffifggecbZVURfffffiigggffbZSHfffff" +
  "jaUXZflgYOfvvvvfidhvkhpbThoppppfjaPWfmuZOUmmmmmfifcddafbSUippppfifgfgdddWOfppppfjfffffgeaTPTgggf" +
  "nlbVXZacdWZx666flichmmmfYbiopppfnkbdrquaYatzzzzfnleYZYfYZZqv111fkggfffdcbXfu333fjiffffgdaaWh777f" +
  "aYYYZYelhdVPsssfXeijiifidWdfgggffcbhjighgYTfgggfiefbcjhgebQZgggfjffgdeihfcaPmmmfmhggffecbbXRwwwf" +
  "UUgdegeintTolmRfeppppppponahggffeppppppponahggffUUUUUUUgefYhggffUUUUUUUUfkcggqVfVwvtqqpsophlhfaf";
export const RESIDUAL_CENTRES = "AAADEGBBBCDGCCCDEGDDDDEGEDEEEGFBEEFGFBEFFHFBEFGHFBEGGHHCDHHIGACEFIKAAIKA";
/** The same for quaternions. */
export const TURN_LEVELS =
  "djkjhgffffffffffTCdjhgffffffffffbbaZTZffffffffffaadgcWPXffffffffXYYejfaSLfffffffUTVfmkhcONffffff" +
  "gbdfggffffffffffhbCfggfffffffffffYSLagffffffffffgehcXVXfffffffffgejkidYSffffffffhZbZfjgdMfffffff" +
  "geaeggfffffffffffaWZggffffffffffgeXIXgfffffffffffebaWJffffffffffiddihcTTffffffffhdaaekhcIfffffff" +
  "gdfeefffffffffffkagcefffffffffffgcaQMffffffffffffdebVMVfffffffffhcfhgcVSZfffffffiedbdigYUTffffff" +
  "gdcdeeefffffffffidgieeefffffffffhfdZOaefffffffffgcbcXNNfffffffffhdbegaTTTfffffffhcdfiheZRRffffff" +
  "gdcfhddeffffffffdgekhddeffffffffhfebcYXeffffffffhbfieRTSffffffffhcbbcbSMVfffffffhccbdgdYLTffffff" +
  "gbbbegcdffffffffgbbbegcdffffffffkfedeXcdffffffffgckieYTVZfffffffgaaaegVNLfffffffhbbbfidYOLffffff" +
  "gaaaeifcefffffffgaaaeifceffffffflhTbceccefffffffgYkkfcZOefffffffgXXflhbQGfffffffhZYZfkfZRDffffff" +
  "hbYfmjhddfffffffhbYfmjhddfffffffhbYfmjhddfffffffpfecffaWdfffffffhbbccbcXOWffffffhZfrplicTCffffff" +
  "hdafmkhgedffffffhdafmkhgedffffffhdafmkhgedffffffjeXfpiegedffffffideeccdaeTffffffhcXfpmigcCffffff" +
  "dbbbbdgecfffffffXJgnmjgecfffffffeebWYieecfffffffecbbaRUecfffffffecbcfgXRNfffffffdeeeecddRCffffff" +
  "YjkkjjihfeffffffYjkkjjihfeffffffYjkkjjihfeffffffYjkkjjihfeffffffYjkkjjihfeffffffXmtsqspmcCffffff";
export const TURN_CENTRES = "AAACDDBBBBBECBBCCECBCCCEDBBDDDDCBCEEEEDBEEEEEBDEDDDEFCDDDDFDFAADEGAAAAAA";

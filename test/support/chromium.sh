#!/bin/sh
# Starts $CHROMIUM without the two pages that it loads for the address bar of each window. They take as long as the pages of
# a test. The network runs in the main process, which saves messages between processes. Chromium obeys only the last
# --disable-features and the last --enable-features, so the features are added to the lists of Playwright.

for argument; do
  shift
  case $argument in
    --enable-features=*) argument=$argument,NetworkServiceInProcess2 ;;
    --disable-features=*) argument=$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM" "$@"

# SPDX-License-Identifier: MIT
#
# vcpkg install amp-h --overlay-ports=packaging/vcpkg takes the sources that it lies in; no archive is fetched.
set(VCPKG_BUILD_TYPE release) # headers only
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

file(GLOB headers "${SOURCE_PATH}/amp*.h")
file(INSTALL ${headers} DESTINATION "${CURRENT_PACKAGES_DIR}/include")
file(INSTALL "${SOURCE_PATH}/amp" DESTINATION "${CURRENT_PACKAGES_DIR}/include" FILES_MATCHING PATTERN "*.h" PATTERN "*.c")

# The places that these files name: <prefix>/share/amp, and the headers.
set(prefix_from_here "\${CMAKE_CURRENT_LIST_DIR}/../..")
set(includedir "\${amp_priv_prefix}/include")
set(version "${VERSION}")
foreach(name amp-config amp-config-version)
    configure_file("${SOURCE_PATH}/packaging/${name}.cmake.in" "${CURRENT_PACKAGES_DIR}/share/amp/${name}.cmake" @ONLY)
endforeach()
file(INSTALL "${SOURCE_PATH}/LICENSE" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}" RENAME copyright)
